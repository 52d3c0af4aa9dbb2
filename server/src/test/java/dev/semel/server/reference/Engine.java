package dev.semel.server.reference;

import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinarySubType;
import org.bson.BsonBinaryWriter;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** The server that is tested, with a database of two collections. */
final class Engine implements AutoCloseable {
    private static final BsonDocument CASELESS = BsonDocument.parse("{locale: 'en', strength: 2}");

    /** No index takes two arrays of one document, or hashes one. */
    private static final Set<Integer> INDEX_REFUSES = Set.of(171, 16766);

    private final Server server;
    private final LocalConnection connection;

    /** What the commands of an open transaction carry; empty if there is none. */
    private BsonDocument transaction = new BsonDocument();

    private long transactions;

    Engine() throws IOException {
        server = Server.start(ServerOptions.memory());
        connection = server.connect();
    }

    /** What an update answered: the number of documents that matched, or an error. */
    record Updated(BsonDocument reply) {
        boolean isRefused() {
            return reply.containsKey("writeErrors") || reply.getNumber("ok").intValue() != 1;
        }

        boolean isRefusedByIndex() {
            return reply.containsKey("writeErrors")
                    && INDEX_REFUSES.contains(reply.getArray("writeErrors")
                            .get(0)
                            .asDocument()
                            .getInt32("code")
                            .getValue());
        }
    }

    void fill(String collection, List<BsonDocument> documents) {
        run(new BsonDocument("drop", new BsonString(collection)));
        BsonDocument insert =
                new BsonDocument("insert", new BsonString(collection)).append("documents", new BsonArray(documents));
        require(run(insert));
    }

    boolean createIndex(String collection, BsonDocument index) {
        BsonDocument command = new BsonDocument("createIndexes", new BsonString(collection))
                .append("indexes", new BsonArray(List.of(index)));
        return run(command).getNumber("ok").intValue() == 1;
    }

    List<BsonDocument> find(String collection, BsonDocument find, boolean caseless) {
        BsonDocument command = new BsonDocument("find", new BsonString(collection));
        command.putAll(find);
        if (caseless) {
            command.append("collation", CASELESS);
        }
        return batch(command.append("batchSize", new BsonInt32(100_000)));
    }

    List<BsonDocument> aggregate(String collection, List<BsonDocument> pipeline) {
        return aggregate(collection, pipeline, false);
    }

    List<BsonDocument> aggregate(String collection, List<BsonDocument> pipeline, boolean caseless) {
        BsonDocument command = new BsonDocument("aggregate", new BsonString(collection))
                .append("pipeline", new BsonArray(pipeline))
                .append("cursor", new BsonDocument("batchSize", new BsonInt32(100_000)));
        if (caseless) {
            command.append("collation", CASELESS);
        }
        return batch(command);
    }

    private List<BsonDocument> batch(BsonDocument command) {
        return require(run(command)).getDocument("cursor").getArray("firstBatch").stream()
                .map(BsonValue::asDocument)
                .toList();
    }

    int count(String collection, BsonDocument filter) {
        BsonDocument command = new BsonDocument("count", new BsonString(collection)).append("query", filter);
        return require(run(command)).getNumber("n").intValue();
    }

    List<BsonValue> distinct(String collection, String path, BsonDocument filter) {
        BsonDocument command = new BsonDocument("distinct", new BsonString(collection))
                .append("key", new BsonString(path))
                .append("query", filter);
        return require(run(command)).getArray("values").getValues();
    }

    Updated update(String collection, BsonDocument query, BsonDocument update, List<BsonDocument> arrayFilters) {
        BsonDocument statement = new BsonDocument("q", query)
                .append("u", update)
                .append("arrayFilters", new BsonArray(arrayFilters))
                .append("multi", BsonBoolean.FALSE);
        return new Updated(run(new BsonDocument("update", new BsonString(collection))
                .append("updates", new BsonArray(List.of(statement)))));
    }

    // ---- transactions

    /** From here on reads and updates are those of a transaction. */
    void begin() {
        transactions++;
        transaction = new BsonDocument(
                        "lsid", new BsonDocument("id", new BsonBinary(BsonBinarySubType.UUID_STANDARD, new byte[16])))
                .append("txnNumber", new BsonInt64(transactions))
                .append("autocommit", BsonBoolean.FALSE)
                .append("startTransaction", BsonBoolean.TRUE);
    }

    void commit() {
        require(end("commitTransaction"));
    }

    /** Whether it is still open or not. */
    void abort() {
        end("abortTransaction");
    }

    private BsonDocument end(String command) {
        BsonDocument last = new BsonDocument(command, new BsonInt32(1));
        boolean isEmpty = transaction.containsKey("startTransaction");
        BsonDocument reply = isEmpty ? new BsonDocument("ok", new BsonInt32(1)) : send(last, "admin");
        transaction = new BsonDocument();
        return reply;
    }

    /** What others see while a transaction is open. */
    List<BsonDocument> findOutside(String collection) {
        BsonDocument open = transaction;
        transaction = new BsonDocument();
        try {
            return find(collection, new BsonDocument(), false);
        } finally {
            transaction = open;
        }
    }

    /** How a command is run, and what it looks at. */
    BsonDocument explain(BsonDocument command) {
        return require(run(new BsonDocument("explain", command).append("verbosity", new BsonString("executionStats"))));
    }

    private static BsonDocument require(BsonDocument reply) {
        if (reply.getNumber("ok").intValue() != 1 || reply.containsKey("writeErrors")) {
            throw new AssertionError(reply);
        }
        return reply;
    }

    private BsonDocument run(BsonDocument command) {
        return send(command, "d");
    }

    private BsonDocument send(BsonDocument command, String database) {
        BsonDocument sent = command.append("$db", new BsonString(database));
        sent.putAll(transaction);
        transaction.remove("startTransaction");
        try (BasicOutputBuffer buffer = new BasicOutputBuffer();
                BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
            new BsonDocumentCodec()
                    .encode(writer, sent, EncoderContext.builder().build());
            RawDocument reply = connection.run(RawDocument.of(buffer.toByteArray()));
            return new BsonDocumentCodec()
                    .decode(
                            new BsonBinaryReader(ByteBuffer.wrap(reply.toBytes())),
                            DecoderContext.builder().build());
        }
    }

    @Override
    public void close() {
        connection.close();
        server.close();
    }
}
