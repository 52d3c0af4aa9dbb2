package dev.semel.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.statement.Unquoted;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many clients at once: each statement happens completely, at one instant, or not at all. */
abstract class StatementAtomicityTest {
    private static final long SEED = 20261121;

    abstract ServerOptions options();

    static final class InMemoryTest extends StatementAtomicityTest {
        @Override
        ServerOptions options() {
            return ServerOptions.memory();
        }
    }

    static final class OnDiskTest extends StatementAtomicityTest {
        @TempDir
        @SuppressWarnings("NullAway.Init")
        Path folder;

        @Override
        ServerOptions options() {
            return ServerOptions.directory(folder);
        }
    }

    @Test
    void countersUnder32ClientsLoseNothing() throws Exception {
        try (Server server = Server.start(options().inProcess())) {
            run(server, "{insert: 'c', documents: [{_id: 0, n: 0}, {_id: 1, n: 0}, {_id: 2, n: 0}]}");
            int rounds = 30;
            clients(32, server, (client, connection) -> {
                Random random = new Random(SEED + client);
                for (int i = 0; i < rounds; i++) {
                    String filter = random.nextBoolean() ? "{_id: " + random.nextInt(3) + "}" : "{n: {$gte: 0}}";
                    RawDocument reply =
                            run(connection, "{update: 'c', updates: [{q: " + filter + ", u: {$inc: {n: 1}}}]}");
                    assertThat(reply.get("nModified")).isEqualTo(Value.of(1));
                }
            });
            RawDocument sum = firstDocument(
                    run(server, "{aggregate: 'c', pipeline: [{$group: {_id: null, n: {$sum: '$n'}}}], cursor: {}}"));
            assertThat(sum.get("n")).isEqualTo(Value.of(32 * rounds));
        }
    }

    /** A reader of what is not committed may see any document at any time, but each with its index entries. */
    @Test
    void documentsReadUncommittedAreWhole() throws Exception {
        AtomicInteger readers = new AtomicInteger(2);
        try (Server server = Server.start(options().inProcess())) {
            run(server, "{insert: 'c', documents: [{_id: 0, a: 0, b: 0}, {_id: 1, a: 0, b: 0}, {_id: 2, a: 0, b: 0}]}");
            run(server, "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}, {key: {b: 1}, name: 'b'}]}");
            clients(4, server, (client, shared) -> {
                try (LocalConnection connection = server.connectAsClient()) {
                    if (client < 2) {
                        readUncommitted(connection, readers);
                    } else {
                        Random random = new Random(SEED + client);
                        while (readers.get() > 0) {
                            rewrite(connection, client, random);
                        }
                    }
                }
            });
        }
    }

    private static void readUncommitted(LocalConnection connection, AtomicInteger readers) {
        try {
            run(connection, "{beginTransaction: 1, isolation: 'readUncommitted'}");
            for (int i = 0; i < 500; i++) {
                for (String by : List.of("a", "b")) {
                    RawDocument reply = run(
                            connection,
                            "{find: 'c', filter: {" + by + ": {$gte: 0}}, hint: '" + by + "', batchSize: 9}");
                    assertThat(documents(reply))
                            .allMatch(each -> requireNonNull(each.get("a")).equals(each.get("b")));
                }
            }
        } finally {
            readers.decrementAndGet();
        }
    }

    /** Each writer has its own document, so that nobody waits. */
    private static void rewrite(LocalConnection connection, int id, Random random) {
        run(connection, "{beginTransaction: 1}");
        for (int i = 0; i < 4; i++) {
            int n = random.nextInt(1000);
            String fields = "a: " + n + ", b: " + n;
            if (random.nextInt(3) == 0) {
                run(connection, "{delete: 'c', deletes: [{q: {_id: " + id + "}, limit: 1}]}");
            } else {
                run(connection, "{update: 'c', updates: [{q: {_id: " + id + "}, u: {" + fields + "}, upsert: true}]}");
            }
        }
        run(connection, random.nextInt(3) == 0 ? "{rollbackTransaction: 1}" : "{commitTransaction: 1}");
    }

    @Test
    void multiUpdatesAreSeenCompletelyOrNotAtAll() throws Exception {
        try (Server server = Server.start(options().inProcess())) {
            run(server, "{insert: 'c', documents: [{_id: 1, n: 0}, {_id: 2, n: 0}, {_id: 3, n: 0}, {_id: 4, n: 0}]}");
            clients(8, server, (client, connection) -> {
                for (int i = 0; i < 25; i++) {
                    if (client % 2 == 0) {
                        RawDocument reply = run(
                                connection,
                                "{update: 'c', updates: [{q: {n: {$gte: 0}}, u: {$inc: {n: 1}}, multi: true}]}");
                        assertThat(reply.get("nModified")).isEqualTo(Value.of(4));
                    } else {
                        List<RawDocument> seen = documents(run(connection, "{find: 'c'}"));
                        assertThat(seen.stream().map(each -> each.get("n")).distinct())
                                .hasSize(1);
                    }
                }
            });
            assertThat(firstDocument(run(server, "{find: 'c'}")).get("n")).isEqualTo(Value.of(100));
        }
    }

    @Test
    void queueGivesEachDocumentOnce() throws Exception {
        try (Server server = Server.start(options().inProcess())) {
            int items = 150;
            BsonWriter insert = new BsonWriter().put("insert", "queue").startArray("documents");
            for (int i = 0; i < items; i++) {
                insert.startDocument().put("_id", i).put("state", "new").end();
            }
            run(server, insert.end());
            Set<Value> taken = ConcurrentHashMap.newKeySet();
            AtomicInteger twice = new AtomicInteger();
            clients(8, server, (client, connection) -> {
                while (true) {
                    RawDocument reply = run(
                            connection,
                            "{findAndModify: 'queue', query: {state: 'new'}, update: {$set: {state: 'taken'}}}");
                    if (!(reply.get("value") instanceof Value.Doc(RawDocument item))) {
                        return;
                    }
                    Value id = item.get("_id");
                    if (id == null || !taken.add(id)) {
                        twice.incrementAndGet();
                    }
                }
            });
            assertThat(twice).hasValue(0);
            assertThat(taken).hasSize(items);
        }
    }

    @Test
    void upsertsOfOneKeyInsertOnce() throws Exception {
        try (Server server = Server.start(options().inProcess())) {
            run(server, "{createIndexes: 'u', indexes: [{key: {k: 1}, name: 'k', unique: true}]}");
            AtomicInteger inserted = new AtomicInteger();
            clients(16, server, (client, connection) -> {
                for (int i = 0; i < 20; i++) {
                    String filter = client % 2 == 0 ? "{k: " + i + "}" : "{k: {$eq: " + i + "}}";
                    RawDocument reply = run(
                            connection,
                            "{update: 'u', updates: [{q: " + filter + ", u: {$inc: {n: 1}}, upsert: true}]}");
                    assertThat(reply.get("n")).as("%s", reply).isEqualTo(Value.of(1));
                    if (reply.has("upserted")) {
                        inserted.incrementAndGet();
                    }
                }
            });
            assertThat(inserted).hasValue(20);
            List<RawDocument> all = documents(run(server, "{find: 'u'}"));
            assertThat(all)
                    .hasSize(20)
                    .allSatisfy(each -> assertThat(each.get("n")).isEqualTo(Value.of(16)));
        }
    }

    @Test
    void updatesInOppositeOrdersOfOneCommandDoNotBlockEachOther() throws Exception {
        try (Server server = Server.start(options().inProcess())) {
            run(server, "{insert: 'c', documents: [{_id: 1, n: 0}, {_id: 2, n: 0}]}");
            clients(8, server, (client, connection) -> {
                int first = 1 + client % 2;
                for (int i = 0; i < 25; i++) {
                    RawDocument reply = run(
                            connection,
                            "{update: 'c', updates: [{q: {_id: %d}, u: {$inc: {n: 1}}}, {q: {_id: %d}, u: {$inc: {n: 1}}}]}"
                                    .formatted(first, 3 - first));
                    assertThat(reply.get("nModified")).as("%s", reply).isEqualTo(Value.of(2));
                }
            });
            assertThat(documents(run(server, "{find: 'c'}")))
                    .allSatisfy(each -> assertThat(each.get("n")).isEqualTo(Value.of(200)));
        }
    }

    // ---- clients

    private interface Work {
        void run(int client, LocalConnection connection) throws Exception;
    }

    private static void clients(int count, Server server, Work work) throws InterruptedException {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int client = i;
            threads.add(Thread.ofVirtual().start(() -> {
                try (LocalConnection connection = server.connect()) {
                    work.run(client, connection);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).as("seed %d", SEED).isNull();
    }

    private static RawDocument run(Server server, String command) {
        try (LocalConnection connection = server.connect()) {
            return run(connection, command);
        }
    }

    private static void run(Server server, BsonWriter command) {
        try (LocalConnection connection = server.connect()) {
            run(connection, command);
        }
    }

    private static RawDocument run(LocalConnection connection, String command) {
        return run(connection, new BsonWriter().copyAll(Unquoted.document(command)));
    }

    private static RawDocument run(LocalConnection connection, BsonWriter command) {
        RawDocument reply = connection.run(command.put("$db", "test").finish());
        assertThat(reply.get("ok")).as("%s", reply).isEqualTo(Value.of(1.0));
        return reply;
    }

    private static RawDocument firstDocument(RawDocument reply) {
        return documents(reply).getFirst();
    }

    private static List<RawDocument> documents(RawDocument reply) {
        List<RawDocument> documents = new ArrayList<>();
        if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)
                && cursor.get("firstBatch") instanceof Value.Array(RawDocument batch)) {
            batch.forEach(each -> {
                if (each.value() instanceof Value.Doc(RawDocument document)) {
                    documents.add(document);
                }
            });
        }
        return documents;
    }
}
