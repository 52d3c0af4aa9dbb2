package dev.semel.bench.load;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Any server of MongoDB's protocol, through the official driver. */
final class MongoTarget implements Target {
    private static final int LOAD_BATCH = 1000;

    private final MongoClient client;
    private final MongoCollection<Document> documents;
    private final MongoCollection<Document> inserted;
    private final Document hello;
    private Payload payload = new Payload(1, 0);

    MongoTarget(String uri) {
        client = MongoClients.create(uri);
        var database = client.getDatabase("load");
        documents = database.getCollection("documents");
        inserted = database.getCollection("inserted");
        hello = database.runCommand(new Document("isMaster", 1));
    }

    /** Drivers ask for a replica set, in which alone MongoDB has transactions. */
    @Override
    public boolean supports(Workload workload) {
        return workload != Workload.TRANSACTION || hello.containsKey("setName");
    }

    @Override
    public void prepare(int count, int bytes) {
        payload = new Payload(count, bytes);
        documents.drop();
        inserted.drop();
        documents.createIndex(Indexes.ascending("key"));
        for (int first = 0; first < count; first += LOAD_BATCH) {
            documents.insertMany(batch(first, Math.min(LOAD_BATCH, count - first)));
        }
    }

    @Override
    public void insert(long id) {
        inserted.insertOne(document(id));
    }

    @Override
    public void insertBatch(long firstId, int count) {
        inserted.insertMany(batch(firstId, count), new InsertManyOptions().ordered(false));
    }

    @Override
    public void removeInserted() {
        inserted.drop();
    }

    @Override
    public void findById(int id) {
        expect(documents.find(Filters.eq("_id", (long) id)).first());
    }

    @Override
    public void findByKey(int key) {
        expect(documents.find(Filters.eq("key", key)).first());
    }

    @Override
    public void range(int fromKey) {
        int from = Math.min(fromKey, payload.count() - 100);
        var found = documents
                .find(Filters.and(Filters.gte("key", from), Filters.lt("key", from + 100)))
                .sort(Sorts.ascending("key"))
                .into(new ArrayList<>());
        expectCount(100, found.size());
    }

    @Override
    public void increment(int id) {
        expectCount(1, (int) documents
                .updateOne(Filters.eq("_id", (long) id), Updates.inc("counter", 1))
                .getModifiedCount());
    }

    @Override
    public void transaction(int read, int first, int second, long newId) {
        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                expect(documents.find(session, Filters.eq("_id", (long) read)).first());
                documents.updateOne(session, Filters.eq("_id", (long) first), Updates.inc("counter", 1));
                documents.updateOne(session, Filters.eq("_id", (long) second), Updates.inc("counter", 1));
                return inserted.insertOne(session, document(newId));
            });
        }
    }

    @Override
    public void group() {
        var groups = documents
                .aggregate(List.of(
                        Aggregates.group("$group", Accumulators.sum("n", 1), Accumulators.sum("total", "$key"))))
                .into(new ArrayList<>());
        expectCount(Math.min(Payload.GROUPS, payload.count()), groups.size());
    }

    @Override
    public void holdLocks(int count) {
        // Closing the client ends its sessions, and with the session ends the transaction.
        ClientSession session = client.startSession();
        var database = client.getDatabase("load");
        database.runCommand(session, new Document("beginTransaction", 1));
        List<Document> batch = new ArrayList<>(count);
        for (int id = 0; id < count; id++) {
            batch.add(new Document("_id", id));
        }
        database.getCollection("locked").insertMany(session, batch);
    }

    @Override
    public void close() {
        client.close();
    }

    private List<Document> batch(long first, int count) {
        List<Document> batch = new ArrayList<>(count);
        for (long id = first; id < first + count; id++) {
            batch.add(document(id));
        }
        return batch;
    }

    private Document document(long id) {
        return new Document("_id", id)
                .append("key", payload.key(id))
                .append("group", payload.group(id))
                .append("counter", 0)
                .append("text", payload.text());
    }

    private static void expect(@Nullable Document found) {
        if (found == null) {
            throw new IllegalStateException("a document that was stored is not found");
        }
    }

    static void expectCount(int expected, int found) {
        if (expected != found) {
            throw new IllegalStateException("expected " + expected + " and got " + found);
        }
    }
}
