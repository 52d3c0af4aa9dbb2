package dev.semel.driver.model.search;

import org.bson.Document;

/** Words, as the analyzer of the index makes them. */
public final class TextSearchOperator extends SearchOperator {
    TextSearchOperator(Document fields) {
        super("text", fields);
    }

    public TextSearchOperator fuzzy() {
        return new TextSearchOperator(and("fuzzy", new Document()));
    }

    public TextSearchOperator fuzzy(FuzzySearchOptions options) {
        return new TextSearchOperator(and("fuzzy", options));
    }

    /** The name of a mapping of the index. */
    public TextSearchOperator synonyms(String name) {
        return new TextSearchOperator(and("synonyms", name));
    }

    @Override
    public TextSearchOperator score(SearchScore value) {
        return new TextSearchOperator(and("score", value));
    }
}
