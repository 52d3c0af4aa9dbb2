package dev.semel.driver.model.search;

import org.bson.BsonInt64;
import org.bson.Document;
import org.bson.conversions.Bson;

/** How {@code $vectorSearch} looks. Immutable: each method returns other options. */
public final class VectorSearchOptions extends SearchPart {
    private VectorSearchOptions(Document fields) {
        super(fields);
    }

    /** The number of candidates. */
    public static VectorSearchOptions approximateVectorSearchOptions(long numCandidates) {
        return new VectorSearchOptions(new Document("numCandidates", new BsonInt64(numCandidates)));
    }

    /** Among all. */
    public static VectorSearchOptions exactVectorSearchOptions() {
        return new VectorSearchOptions(new Document("exact", true));
    }

    public VectorSearchOptions filter(Bson value) {
        return option("filter", value);
    }

    /** An option that has no method. */
    public VectorSearchOptions option(String name, Object value) {
        return new VectorSearchOptions(and(name, value));
    }
}
