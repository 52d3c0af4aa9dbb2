package dev.semel.driver.model.search;

import org.bson.Document;

/** What else {@code $search} takes. Immutable: each method returns other options. */
public final class SearchOptions extends SearchPart {
    private SearchOptions(Document fields) {
        super(fields);
    }

    public static SearchOptions searchOptions() {
        return new SearchOptions(new Document());
    }

    public SearchOptions index(String value) {
        return option("index", value);
    }

    public SearchOptions highlight(SearchHighlight value) {
        return option("highlight", value);
    }

    public SearchOptions count(SearchCount value) {
        return option("count", value);
    }

    public SearchOptions returnStoredSource(boolean value) {
        return option("returnStoredSource", value);
    }

    /** An option that has no method. */
    public SearchOptions option(String name, Object value) {
        return new SearchOptions(and(name, value));
    }
}
