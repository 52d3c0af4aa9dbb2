package dev.semel.driver.model.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.Document;

/** The passages that matched. Immutable: each method returns another. */
public final class SearchHighlight extends SearchPart {
    private SearchHighlight(Document fields) {
        super(fields);
    }

    public static SearchHighlight paths(SearchPath path, SearchPath... more) {
        var all = new ArrayList<SearchPath>(List.of(path));
        all.addAll(Arrays.asList(more));
        return paths(all);
    }

    public static SearchHighlight paths(Iterable<? extends SearchPath> paths) {
        return new SearchHighlight(new Document("path", SearchPath.value(paths)));
    }

    public SearchHighlight maxCharsToExamine(int value) {
        return new SearchHighlight(and("maxCharsToExamine", value));
    }

    public SearchHighlight maxNumPassages(int value) {
        return new SearchHighlight(and("maxNumPassages", value));
    }
}
