package dev.semel.golden.history;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** The official driver as a client of a {@link Workload}, in either dialect of transactions. */
public final class DriverClient implements Workload.Client {
    private static final String LISTS = "lists";
    private static final String ACCOUNTS = "accounts";
    private static final int NO_SUCH_TRANSACTION = 251;
    private static final String RETRYABLE = "RetryableWriteError";

    private final Flavour flavour;
    private final MongoDatabase database;
    private final ClientSession session;

    /** How transactions are begun. */
    public enum Flavour {
        SESSION,
        MVCC,
        SERIALIZABLE;

        /** Null for MongoDB's dialect, which has one. */
        private @Nullable String isolation() {
            return switch (this) {
                case SESSION -> null;
                case MVCC -> "mvcc";
                case SERIALIZABLE -> "serializable";
            };
        }
    }

    public DriverClient(MongoClient client, String database, Flavour flavour) {
        this.flavour = flavour;
        this.database = client.getDatabase(database);
        this.session = client.startSession(
                ClientSessionOptions.builder().causallyConsistent(false).build());
    }

    /** The collections and the index that a group of lists is found by. */
    public static void prepare(MongoClient client, String name) {
        MongoDatabase database = client.getDatabase(name);
        database.createCollection(ACCOUNTS);
        database.getCollection(LISTS).createIndex(new Document("group", 1));
    }

    @Override
    public void begin() {
        if (flavour.isolation() == null) {
            session.startTransaction();
        } else {
            run(new Document("beginTransaction", 1).append("isolation", flavour.isolation()));
        }
    }

    @Override
    public Map<String, List<Integer>> read(String group) {
        Map<String, List<Integer>> lists = new HashMap<>();
        for (Document each : find(LISTS, new Document("group", group))) {
            lists.put(each.getString("_id"), each.getList("elements", Integer.class));
        }
        return lists;
    }

    @Override
    public void append(String group, String list, int element) {
        update(
                LISTS,
                list,
                new Document("$push", new Document("elements", element))
                        .append("$setOnInsert", new Document("group", group)));
    }

    @Override
    public List<Long> balances() {
        List<Long> balances = new ArrayList<>();
        find(ACCOUNTS, new Document()).forEach(each -> balances.add(each.getLong("balance")));
        return balances;
    }

    @Override
    public long balance(int account) {
        return find(ACCOUNTS, new Document("_id", account)).getFirst().getLong("balance");
    }

    @Override
    public void balance(int account, long balance) {
        update(ACCOUNTS, account, new Document("$set", new Document("balance", balance)));
    }

    private List<Document> find(String collection, Document filter) {
        return run(new Document("find", collection).append("filter", filter))
                .get("cursor", Document.class)
                .getList("firstBatch", Document.class);
    }

    private void update(String collection, Object id, Document change) {
        Document reply = run(new Document("update", collection)
                .append(
                        "updates",
                        List.of(new Document("q", new Document("_id", id))
                                .append("u", change)
                                .append("upsert", true))));
        if (reply.containsKey("writeErrors")) {
            throw new Workload.Aborted(new IllegalStateException(reply.toJson()));
        }
    }

    /** As a plain command, so that the driver neither repeats it nor adds a transaction number of its own. */
    private Document run(Document command) {
        try {
            return database.runCommand(session, command);
        } catch (MongoException e) {
            throw new Workload.Aborted(e);
        }
    }

    @Override
    public void commit() {
        try {
            if (flavour.isolation() == null) {
                session.commitTransaction();
            } else {
                database.runCommand(session, new Document("commitTransaction", 1));
            }
        } catch (MongoCommandException e) {
            throw e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)
                    ? new Workload.Doubt(e)
                    : new Workload.Aborted(e);
        } catch (MongoException e) {
            throw new Workload.Doubt(e);
        }
    }

    @Override
    public @Nullable Boolean settle() {
        if (flavour.isolation() != null) {
            return null;
        }
        while (true) {
            try {
                session.commitTransaction();
                return true;
            } catch (MongoException e) {
                if (e.getCode() == NO_SUCH_TRANSACTION) {
                    return false;
                }
                // The set has no primary yet, or loses one again; the driver has retried once.
                if (!e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)
                        && !e.hasErrorLabel(RETRYABLE)) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void abort() {
        try {
            if (flavour.isolation() != null) {
                database.runCommand(session, new Document("rollbackTransaction", 1));
            } else if (session.hasActiveTransaction()) {
                session.abortTransaction();
            }
        } catch (MongoException e) {
            // It is over already.
            return;
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
