package dev.semel.bench.scale;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Documents of 200 bytes with three indexes: one of numbers in no order, one of few values, and one of two fields. */
final class Things {
    static final int BATCH = 1_000;
    static final int RANGE = 100;
    private static final int GROUPS = 1_000;
    private static final String TEXT = "semel ".repeat(18) + "once";

    private final MongoCollection<BsonDocument> collection;

    Things(MongoClient client) {
        this.collection = client.getDatabase("bench").getCollection("things", BsonDocument.class);
    }

    void createIndexes() {
        collection.createIndex(Indexes.ascending("key"));
        collection.createIndex(Indexes.ascending("group"));
        collection.createIndex(Indexes.ascending("word", "key"));
    }

    /** An order that has nothing to do with that of the identifiers, without repetition. */
    private static long key(long id) {
        long mixed = id * 0x9e3779b97f4a7c15L;
        return mixed ^ (mixed >>> 29);
    }

    private static BsonDocument document(long id) {
        return new BsonDocument("_id", new BsonInt64(id))
                .append("key", new BsonInt64(key(id)))
                .append("group", new BsonInt32((int) (id % GROUPS)))
                .append("word", new BsonString(Long.toString(key(~id) & 0xffffff, 36)))
                .append("n", new BsonInt32(0))
                .append("text", new BsonString(TEXT));
    }

    static int documentBytes() {
        return new RawBsonDocument(document(1), new BsonDocumentCodec())
                .getByteBuffer()
                .remaining();
    }

    void insert(long first) {
        List<BsonDocument> batch = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
            batch.add(document(first + i));
        }
        collection.insertMany(batch);
    }

    long count() {
        return collection.countDocuments();
    }

    void findById(SplittableRandom random, long count) {
        require(
                1,
                collection
                        .find(Filters.eq(random.nextLong(count)))
                        .into(new ArrayList<>())
                        .size());
    }

    void findByIndex(SplittableRandom random, long count) {
        require(
                1,
                collection
                        .find(Filters.eq("key", key(random.nextLong(count))))
                        .into(new ArrayList<>())
                        .size());
    }

    void range(SplittableRandom random, long count) {
        // At the very end of the keys there are fewer.
        collection
                .find(Filters.gte("key", key(random.nextLong(count))))
                .sort(Sorts.ascending("key"))
                .limit(RANGE)
                .into(new ArrayList<>());
    }

    void increment(SplittableRandom random, long count) {
        require(1, (int) collection
                .updateOne(Filters.eq(random.nextLong(count)), Updates.inc("n", 1))
                .getModifiedCount());
    }

    void buildIndex() {
        collection.createIndex(Indexes.ascending("group", "key"));
    }

    void dropBuiltIndex() {
        collection.dropIndex(Indexes.ascending("group", "key"));
    }

    private static void require(int expected, int found) {
        if (found != expected) {
            throw new IllegalStateException("expected " + expected + ", found " + found);
        }
    }
}
