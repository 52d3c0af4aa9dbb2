package dev.semel.driver.model.search;

import org.bson.Document;

/** Completes what a user has begun to type. */
public final class AutocompleteSearchOperator extends SearchOperator {
    AutocompleteSearchOperator(Document fields) {
        super("autocomplete", fields);
    }

    public AutocompleteSearchOperator fuzzy() {
        return new AutocompleteSearchOperator(and("fuzzy", new Document()));
    }

    public AutocompleteSearchOperator fuzzy(FuzzySearchOptions options) {
        return new AutocompleteSearchOperator(and("fuzzy", options));
    }

    public AutocompleteSearchOperator anyTokenOrder() {
        return new AutocompleteSearchOperator(and("tokenOrder", "any"));
    }

    public AutocompleteSearchOperator sequentialTokenOrder() {
        return new AutocompleteSearchOperator(and("tokenOrder", "sequential"));
    }

    @Override
    public AutocompleteSearchOperator score(SearchScore value) {
        return new AutocompleteSearchOperator(and("score", value));
    }
}
