package dev.semel.driver.gridfs;

import dev.semel.driver.MongoCollection;
import dev.semel.driver.model.IndexOptions;
import dev.semel.driver.setting.ReadPreference;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/**
 * The indexes that a bucket needs: to find a file by its name, and a chunk by its file and number, of which there must be no
 * two. Looked for before the first write, and only while the bucket is empty: later there are too many documents to index them
 * unasked.
 */
record BucketIndexes(Store store) {
    private static final BsonDocument FILES = keys("filename", "uploadDate");
    private static final BsonDocument CHUNKS = keys("files_id", "n");

    private static BsonDocument keys(String first, String second) {
        return new BsonDocument(first, new BsonInt32(1)).append(second, new BsonInt32(1));
    }

    void ensure() {
        BsonDocument any = store.files()
                .withReadPreference(ReadPreference.primary())
                .find(store.session(), new BsonDocument(), BsonDocument.class)
                .projection(new BsonDocument("_id", new BsonInt32(1)))
                .first();
        if (any == null) {
            ensure(store::files, FILES, new IndexOptions());
            ensure(store::chunks, CHUNKS, new IndexOptions().unique(true));
        }
    }

    private void ensure(Supplier<MongoCollection<BsonDocument>> collection, BsonDocument keys, IndexOptions options) {
        for (BsonDocument each : collection.get().listIndexes(store.session(), BsonDocument.class)) {
            if (isSame(each.getDocument("key"), keys)) {
                return;
            }
        }
        collection.get().createIndex(store.session(), keys, options);
    }

    /** Other drivers write the directions as other types of numbers. */
    private static boolean isSame(BsonDocument found, BsonDocument wanted) {
        return List.copyOf(found.keySet()).equals(List.copyOf(wanted.keySet()))
                && found.values().stream()
                        .allMatch(each -> each.isNumber() && each.asNumber().doubleValue() == 1);
    }
}
