package dev.semel.driver.model.search;

import org.bson.Document;

/** Whether matches are counted. Immutable: each method returns another. */
public final class SearchCount extends SearchPart {
    private SearchCount(Document fields) {
        super(fields);
    }

    public static SearchCount total() {
        return new SearchCount(new Document("type", "total"));
    }

    public static SearchCount lowerBound() {
        return new SearchCount(new Document("type", "lowerBound"));
    }

    /** Exact up to this, where it is a lower bound. */
    public SearchCount threshold(int value) {
        return new SearchCount(and("threshold", value));
    }
}
