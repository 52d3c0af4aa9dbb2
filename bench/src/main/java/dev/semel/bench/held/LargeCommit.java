package dev.semel.bench.held;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/**
 * How one transaction that inserts very many documents, and one that deletes them, affect other clients: {@code LargeCommit
 * <uri> <documents>}. The statements and the commit are measured separately.
 */
public final class LargeCommit {
    private static final int BATCH = 1_000;
    private static final int ROUNDS = 3;

    private final MongoClient client;
    private final Bystanders others;
    private final int documents;

    private LargeCommit(MongoClient client, int documents) {
        this.client = client;
        this.others = new Bystanders(client);
        this.documents = documents;
    }

    /** The arguments are the connection string and the number of documents. */
    public static void main(String... arguments) throws Exception {
        try (MongoClient client = MongoClients.create(arguments[0])) {
            new LargeCommit(client, Integer.parseInt(arguments[1])).run();
        }
    }

    private void run() throws Exception {
        MongoCollection<Document> collection = client.getDatabase("bench").getCollection("largeCommit");
        collection.drop();
        collection.createIndex(new Document("n", 1));
        others.alone("warm-up", 5);
        others.alone("nothing else", 5);
        for (int round = 0; round < ROUNDS; round++) {
            try (ClientSession session = client.startSession()) {
                session.startTransaction();
                others.beside("statements, insert", () -> {
                    insert(session, collection);
                    return null;
                });
                others.beside("commit, insert", () -> commit(session));
                session.startTransaction();
                others.beside("statement, delete", () -> collection.deleteMany(session, Filters.empty()));
                others.beside("commit, delete", () -> commit(session));
            }
        }
    }

    private void insert(ClientSession session, MongoCollection<Document> collection) {
        List<Document> batch = new ArrayList<>();
        for (int id = 0; id < documents; id++) {
            batch.add(new Document("_id", id).append("n", -id).append("text", "a few words beside it"));
            if (batch.size() == BATCH || id == documents - 1) {
                collection.insertMany(session, batch);
                batch.clear();
            }
        }
    }

    private static Object commit(ClientSession session) {
        session.commitTransaction();
        return session;
    }
}
