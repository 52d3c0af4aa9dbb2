package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/** Ways to fill the memory of a server. It may refuse them and cut their connections. */
enum HostileUse {
    /** Clients that ask for large replies and read nothing. */
    READS_NOTHING {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            try (var clients = new Clients(uri)) {
                for (int i = 0; i < 50; i++) {
                    clients.write(clients.connect(), "{'find': 'large', 'limit': 1, '$db': 'soak'}");
                }
                clients.linger(random);
            }
        }
    },

    /** Clients that say that a large message follows, and stop in the middle of it. */
    SENDS_SLOWLY {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            var header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            header.putInt(48_000_000).putInt(1).putInt(0).putInt(2013);
            var some = new byte[random.nextInt(1 << 16, 2 << 20)];
            try (var clients = new Clients(uri)) {
                for (int i = 0; i < 50; i++) {
                    var socket = clients.connect();
                    socket.getOutputStream().write(header.array());
                    // The server need not take all of it: the rest stays with the sender.
                    clients.sendBeside(socket, some);
                }
                clients.linger(random);
            }
        }
    },

    /** Cursors that are opened with long commands, and never closed. */
    OPENS_CURSORS {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            var text = "x".repeat(random.nextInt(1, 1 << 20));
            var id = ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(random.nextLong());
            var session = new BsonWriter()
                    .put("id", new Value.Binary((byte) 4, id.array()))
                    .finish();
            try (var client = new RawClient(uri)) {
                var open = new ArrayDeque<Value>();
                for (int i = 0; i < 200; i++) {
                    var filter = new BsonWriter()
                            .put("t", new BsonWriter().put("$ne", text).finish())
                            .finish();
                    var reply = client.run(new BsonWriter()
                            .put("find", "small")
                            .put("filter", filter)
                            .put("batchSize", 1)
                            .put("noCursorTimeout", true)
                            .put("lsid", session)
                            .put("$db", "soak")
                            .finish());
                    refusedAtMost(reply, 146);
                    if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)) {
                        open.add(Objects.requireNonNull(cursor.get("id")));
                    }
                    if (!open.isEmpty() && random.nextInt(3) == 0) {
                        kill(client, "small", open.remove());
                    }
                }
            } finally {
                // Also those whose replies did not come through, because the connection was cut.
                try (var client = new RawClient(uri)) {
                    refusedAtMost(client.run(new BsonWriter()
                            .put(
                                    "killSessions",
                                    new Value.Array(
                                            new BsonWriter().add(session).finish()))
                            .put("$db", "admin")
                            .finish()));
                }
            }
        }
    },

    /** Many connections that say nothing. */
    CONNECTS {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            try (var clients = new Clients(uri)) {
                for (int i = 0; i < 200; i++) {
                    clients.connect();
                }
            }
        }
    },

    /** A large document replaced again and again in one transaction, which is rolled back. */
    REPLACES_IN_TRANSACTION {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            try (var client = new RawClient(uri)) {
                refusedAtMost(client.run(json("{'beginTransaction': 1, '$db': 'soak'}")));
                boolean isTaken = true;
                for (int i = 0; i < 250 && isTaken; i++) {
                    isTaken = replace(client, "r" + random.nextInt(2));
                }
                client.run(json("{'rollbackTransaction': 1, '$db': 'soak'}"));
            }
        }
    },

    /** The same without a transaction: old versions stay for those who read them. */
    REPLACES {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            try (var client = new RawClient(uri)) {
                boolean isTaken = true;
                for (int i = 0; i < 250 && isTaken; i++) {
                    isTaken = replace(client, "p" + random.nextInt(2));
                }
            }
        }
    },

    /** Transactions that are large, and whose connections end before they do. */
    LEAVES_TRANSACTION {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            for (int i = 0; i < 10; i++) {
                try (var client = new RawClient(uri)) {
                    refusedAtMost(client.run(json("{'beginTransaction': 1, '$db': 'soak'}")));
                    var insert = new BsonWriter().put("insert", "left").startArray("documents");
                    insert.add(new BsonWriter().put("t", "x".repeat(12 << 20)).finish());
                    refusedAtMost(client.run(insert.end().put("$db", "soak").finish()), MEMORY_CODES);
                }
            }
        }
    },

    /** Cursors opened and killed in a transaction, each with what it has read. */
    KILLS_CURSORS_IN_TRANSACTION {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            try (var client = new RawClient(uri)) {
                refusedAtMost(client.run(json("{'beginTransaction': 1, '$db': 'soak'}")));
                for (int i = 0; i < 270; i++) {
                    var reply = client.run(json("{'find': 'wide', 'batchSize': 1, '$db': 'soak'}"));
                    refusedAtMost(reply, MEMORY_CODES);
                    if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)) {
                        kill(client, "wide", Objects.requireNonNull(cursor.get("id")));
                    }
                }
                client.run(json("{'rollbackTransaction': 1, '$db': 'soak'}"));
            }
        }
    },

    /** Many small documents, deleted by one statement. */
    DELETES_MANY {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            var name = "many" + random.nextInt(Integer.MAX_VALUE);
            try (var client = new RawClient(uri)) {
                for (int i = 0; i < MANY; i += 4_000) {
                    var insert = new BsonWriter().put("insert", name).startArray("documents");
                    for (int id = i; id < i + 4_000; id++) {
                        insert.add(new BsonWriter().put("_id", id).finish());
                    }
                    refusedAtMost(client.run(insert.end().put("$db", "soak").finish()), MEMORY_CODES);
                }
                refusedAtMost(
                        client.run(
                                json("{'delete': '" + name + "', 'deletes': [{'q': {}, 'limit': 0}], '$db': 'soak'}")),
                        MEMORY_CODES);
                refusedAtMost(client.run(json("{'drop': '" + name + "', '$db': 'soak'}")), 26);
            }
        }
    },

    /** One document changed many times in one transaction. */
    INCREMENTS_IN_TRANSACTION {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            try (var client = new RawClient(uri)) {
                refusedAtMost(client.run(json("{'beginTransaction': 1, '$db': 'soak'}")));
                var update = new BsonWriter().put("update", "counted").startArray("updates");
                for (int i = 0; i < 1000; i++) {
                    update.add(
                            json("{'q': {'_id': " + random.nextInt(3) + "}, 'u': {'$inc': {'n': 1}}, 'upsert': true}"));
                }
                var many = update.end().put("$db", "soak").finish();
                for (int i = 0; i < 10; i++) {
                    refusedAtMost(client.run(many), MEMORY_CODES);
                }
                client.run(json("{'rollbackTransaction': 1, '$db': 'soak'}"));
            }
        }
    },

    /** Everything that a long pipeline finds in one array. */
    GROUPS {
        @Override
        void run(String uri, SplittableRandom random) throws IOException {
            try (var client = new RawClient(uri)) {
                var again = "{'$unionWith': 'wide'}, ".repeat(120);
                refusedAtMost(
                        client.run(json("{'aggregate': 'wide', 'pipeline': [" + again
                                + "{'$group': {'_id': null, 'all': {'$push': '$t'}}}, {'$project': {'_id': 1}}],"
                                + " 'cursor': {}, '$db': 'soak'}")),
                        MEMORY_CODES);
            }
        }
    };

    /** As many as are too much for one statement in a soak that is long, fewer otherwise. */
    private static final int MANY = MemorySoakTest.IS_LONG ? 320_000 : 20_000;

    /** Too large for a transaction, a stage, a document; conflicts and waits with others of their kind; a snapshot given up. */
    private static final Integer[] MEMORY_CODES = {257, 146, 292, 13548, 10334, 112, 24, 251, 239};

    private static void kill(RawClient client, String collection, Value id) throws IOException {
        var command = new BsonWriter().put("killCursors", collection).startArray("cursors");
        refusedAtMost(client.run(command.add(id).end().put("$db", "soak").finish()));
    }

    /** Of one of a few documents; false if it was refused. */
    private static boolean replace(RawClient client, String id) throws IOException {
        var update = new BsonWriter().put("update", "replaced").startArray("updates");
        update.add(new BsonWriter()
                .put("q", new BsonWriter().put("_id", id).finish())
                .put("u", new BsonWriter().put("t", "x".repeat(1 << 20)).finish())
                .put("upsert", true)
                .finish());
        var reply = client.run(update.end().put("$db", "soak").finish());
        refusedAtMost(reply, MEMORY_CODES);
        return Value.of(1.0).equals(reply.get("ok")) && reply.get("writeErrors") == null;
    }

    private static final int LARGE_BYTES = 15 << 20;

    abstract void run(String uri, SplittableRandom random) throws IOException;

    /** What they work on. */
    static void prepare(String uri) throws IOException {
        try (var client = new RawClient(uri)) {
            var large = new BsonWriter().put("insert", "large").startArray("documents");
            large.add(new BsonWriter()
                    .put("_id", 1)
                    .put("t", "x".repeat(LARGE_BYTES))
                    .finish());
            refusedAtMost(client.run(large.end().put("$db", "soak").finish()));
            var small = new BsonWriter().put("insert", "small").startArray("documents");
            for (int i = 0; i < 1000; i++) {
                small.add(new BsonWriter().put("_id", i).put("t", "y").finish());
            }
            refusedAtMost(client.run(small.end().put("$db", "soak").finish()));
            for (int i = 0; i < 5; i++) {
                var wide = new BsonWriter().put("insert", "wide").startArray("documents");
                wide.add(new BsonWriter()
                        .put("_id", i)
                        .put("t", "x".repeat(1 << 20))
                        .finish());
                refusedAtMost(client.run(wide.end().put("$db", "soak").finish()));
            }
        }
    }

    static RawDocument json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    /** It went well, or was refused for one of these reasons. */
    private static void refusedAtMost(RawDocument reply, Integer... codes) {
        if (!Value.of(1.0).equals(reply.get("ok"))) {
            int code = reply.get("code") instanceof Value.Int32(int number) ? number : 0;
            assertThat(Set.of(codes)).as(reply.toString()).contains(code);
        }
    }

    /** Connections without manners. */
    private static final class Clients implements AutoCloseable {
        private final URI address;
        private final List<Socket> sockets = new ArrayList<>();
        private final List<Thread> senders = new ArrayList<>();

        Clients(String uri) {
            address = URI.create(uri);
        }

        Socket connect() throws IOException {
            var socket = new Socket(address.getHost(), address.getPort());
            sockets.add(socket);
            return socket;
        }

        void write(Socket socket, String command) throws IOException {
            new MessageWriter(socket.getOutputStream()).write(OpMsg.of(1, 0, json(command)), Compressor.NONE);
        }

        void sendBeside(Socket socket, byte[] bytes) {
            senders.add(Thread.ofVirtual().start(() -> {
                try {
                    socket.getOutputStream().write(bytes);
                } catch (IOException cut) {
                    // By the server, or by us in the end.
                }
            }));
        }

        /** Until the server has had the time to do something about what was sent. */
        void linger(SplittableRandom random) throws IOException {
            try (var client = new RawClient(address.toString())) {
                for (int i = random.nextInt(50, 500); i > 0; i--) {
                    refusedAtMost(client.run(json("{'ping': 1, '$db': 'admin'}")));
                }
            }
        }

        @Override
        public void close() throws IOException {
            for (var each : sockets) {
                each.close();
            }
            for (var each : senders) {
                try {
                    each.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
