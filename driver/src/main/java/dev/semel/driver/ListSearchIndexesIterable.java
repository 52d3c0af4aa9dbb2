package dev.semel.driver;

import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.ReadConcern;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;

/** Builds and runs {@code $listSearchIndexes}. */
public final class ListSearchIndexesIterable<T> extends TimedIterable<T, ListSearchIndexesIterable<T>> {
    private final MongoNamespace namespace;
    private @Nullable String name;

    ListSearchIndexesIterable(Scope scope, MongoNamespace namespace, Decoder<T> decoder) {
        super(scope, null, decoder);
        this.namespace = namespace;
    }

    /** Only the index with this name; null: all. */
    public ListSearchIndexesIterable<T> name(@Nullable String value) {
        name = value;
        return this;
    }

    @Override
    ListSearchIndexesIterable<T> self() {
        return this;
    }

    @Override
    public MongoCursor<T> cursor() {
        var which = new BsonDocument();
        if (name != null) {
            which.put("name", new BsonString(name));
        }
        var pipeline = List.of(new BsonDocument("$listSearchIndexes", which));
        // A search index is no data: its stage takes no read concern.
        Scope plain = scope().withReadConcern(ReadConcern.DEFAULT);
        return new AggregateIterable<>(
                        plain, null, namespace.databaseName(), namespace.collectionName(), pipeline, decoder())
                .batchSize(batchSize())
                .comment(comment())
                .maxTime(maxTime())
                .timeoutMode(timeoutMode())
                .cursor();
    }
}
