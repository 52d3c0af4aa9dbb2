package dev.semel.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.regex;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.CursorType;
import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operation log as tools read it. */
class OplogTest {
    private Server server;
    private MongoClient client;
    private MongoCollection<Document> log;
    private MongoCollection<Document> collection;

    @BeforeEach
    void start() throws IOException {
        start(ServerOptions.memory());
    }

    private void start(ServerOptions options) throws IOException {
        server = Server.start(options);
        client = MongoClients.create(server.connectionString());
        log = client.getDatabase("local").getCollection("oplog.rs");
        collection = client.getDatabase("db").getCollection("c");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private List<Document> entries() {
        return log.find(regex("ns", "^(db|admin)\\.")).into(new ArrayList<>());
    }

    @Test
    void aTailingCursorSeesConcurrentWritesOnceAndInOrder() throws Exception {
        int writers = 4;
        int writes = 200;
        List<Thread> threads = new ArrayList<>();
        List<Document> seen = new ArrayList<>();
        try (MongoCursor<Document> tail = log.find(eq("op", "i"))
                .cursorType(CursorType.TailableAwait)
                .maxAwaitTime(10, TimeUnit.SECONDS)
                .cursor()) {
            for (int writer = 0; writer < writers; writer++) {
                int first = writer * writes;
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < writes; i++) {
                        collection.insertOne(new Document("_id", first + i));
                    }
                }));
            }
            while (seen.size() < writers * writes) {
                seen.add(tail.next());
            }
        }
        for (Thread each : threads) {
            each.join();
        }
        List<BsonTimestamp> times =
                seen.stream().map(each -> each.get("ts", BsonTimestamp.class)).toList();
        assertThat(times).isSorted().doesNotHaveDuplicates();
        assertThat(new TreeSet<>(seen.stream()
                        .map(each -> each.get("o", Document.class).getInteger("_id"))
                        .toList()))
                .hasSize(writers * writes);
        assertThat(log.find(new Document("op", "i").append("ts", new Document("$gt", times.get(699))))
                        .into(new ArrayList<>()))
                .isEqualTo(seen.subList(700, 800));
    }

    @Test
    void aTransactionIsOneEntryWithItsSession() {
        collection.insertOne(new Document("_id", 0));
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            collection.insertOne(session, new Document("_id", 1));
            collection.deleteOne(session, eq("_id", 0));
            session.abortTransaction();
            session.startTransaction();
            collection.insertOne(session, new Document("_id", 2));
            session.commitTransaction();
        }
        Document entry = entries().getLast();
        assertThat(entries()).hasSize(3);
        assertThat(entry.get("o", Document.class).getList("applyOps", Document.class))
                .hasSize(1);
        assertThat(entry).containsEntry("txnNumber", 3L).containsKeys("lsid", "prevOpTime");
    }

    @Test
    void aRetryableWriteIsNamedWithItsStatements() {
        collection.insertOne(new Document("_id", 0));
        collection.insertMany(List.of(new Document("_id", 1), new Document("_id", 2)));
        collection.findOneAndDelete(eq("_id", 0));
        collection.deleteMany(new Document());
        List<Document> entries = entries();
        assertThat(entries.get(1)).containsEntry("stmtId", 0).containsEntry("txnNumber", 1L);
        assertThat(entries.get(2)).containsEntry("txnNumber", 2L);
        assertThat(entries.get(2).get("o", Document.class).getList("applyOps", Document.class))
                .extracting(each -> each.getInteger("stmtId"))
                .containsExactly(0, 1);
        assertThat(entries.get(3)).containsEntry("stmtId", 0).containsEntry("txnNumber", 3L);
        assertThat(entries.get(0)).doesNotContainKey("lsid");
        assertThat(entries.get(4)).doesNotContainKey("lsid");
    }

    @Test
    void aLargeTransactionIsAChainOfEntries() {
        collection.insertOne(new Document("_id", 0));
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            for (int i = 1; i <= 3; i++) {
                collection.insertOne(session, new Document("_id", i).append("data", new byte[9 << 20]));
            }
            session.commitTransaction();
        }
        List<Document> chain = log.find(new Document("o.applyOps", new Document("$exists", true)))
                .projection(Document.parse("{ts: 1, prevOpTime: 1, 'o.partialTxn': 1, 'o.count': 1}"))
                .into(new ArrayList<>());
        assertThat(chain).hasSize(3);
        assertThat(chain.get(0).get("prevOpTime", Document.class)).containsEntry("ts", new BsonTimestamp(0));
        assertThat(chain.get(1).get("prevOpTime", Document.class))
                .containsEntry("ts", chain.get(0).get("ts"));
        assertThat(chain.get(2).get("prevOpTime", Document.class))
                .containsEntry("ts", chain.get(1).get("ts"));
        assertThat(chain.get(1).get("o", Document.class)).isEqualTo(new Document("partialTxn", true));
        assertThat(chain.get(2).get("o", Document.class)).isEqualTo(new Document("count", 3L));
    }

    @Test
    void itIsDescribedAsACappedCollection() {
        collection.insertOne(new Document());
        assertThat(client.getDatabase("local").listCollectionNames()).containsExactly("oplog.rs");
        Document figures = log.aggregate(List.of(Document.parse("{$collStats: {storageStats: {}}}")))
                .first();
        assertThat(requireNonNull(figures).get("storageStats", Document.class))
                .containsEntry("maxSize", 64L << 20)
                .containsEntry("count", 3L);
        assertThat(requireNonNull(log.find().sort(new Document("$natural", -1)).first())
                        .get("ts", BsonTimestamp.class))
                .isGreaterThan(requireNonNull(log.find().first()).get("ts", BsonTimestamp.class));
    }

    @Test
    void aServerThatStandsAloneHasNone() throws IOException {
        stop();
        start(ServerOptions.memory().standalone());
        collection.insertOne(new Document("_id", 1));
        assertThat(log.find().into(new ArrayList<>())).isEmpty();
        assertThatThrownBy(() -> collection.watch().cursor())
                .isInstanceOf(MongoCommandException.class)
                .hasMessageContaining("The $changeStream stage is only supported on replica sets");
    }
}
