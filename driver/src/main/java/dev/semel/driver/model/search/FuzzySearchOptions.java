package dev.semel.driver.model.search;

import org.bson.Document;

/** How far a word may differ. Immutable: each method returns other options. */
public final class FuzzySearchOptions extends SearchPart {
    private FuzzySearchOptions(Document fields) {
        super(fields);
    }

    public static FuzzySearchOptions fuzzySearchOptions() {
        return new FuzzySearchOptions(new Document());
    }

    public FuzzySearchOptions maxEdits(int value) {
        return option("maxEdits", value);
    }

    public FuzzySearchOptions prefixLength(int value) {
        return option("prefixLength", value);
    }

    public FuzzySearchOptions maxExpansions(int value) {
        return option("maxExpansions", value);
    }

    /** An option that has no method. */
    public FuzzySearchOptions option(String name, Object value) {
        return new FuzzySearchOptions(and(name, value));
    }
}
