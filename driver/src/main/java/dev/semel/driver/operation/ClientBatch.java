package dev.semel.driver.operation;

import dev.semel.driver.connection.Command;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.ServerBinding;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonBinaryWriter;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One {@code bulkWrite} command: as many of the statements, beginning with this one, as the server takes at once. The
 * collections travel in the body, the statements beside it, each with the number of its collection.
 */
final class ClientBatch implements Operation<ClientBatch.Done> {
    /** What the rest of the body may take. */
    private static final int BODY_BYTES = 1000;

    /** Type, a key of six digits and its end. */
    private static final int ELEMENT_BYTES = 8;

    /** How many statements it carries, once it is prepared. */
    int count() {
        return count;
    }

    /** The outcome of the batch; the reply is null for an unacknowledged one. */
    record Done(int count, @Nullable Reply reply, @Nullable CursorPage page) {}

    private final List<ClientStatement> statements;
    private final int from;
    private final ClientBulkWriteOptions options;
    private final WriteConcern writeConcern;
    private final CodecRegistry codecs;
    private final Map<String, Integer> collections = new LinkedHashMap<>();
    private final BasicOutputBuffer encoded = new BasicOutputBuffer(1024);
    private int collectionBytes;
    private int count;

    ClientBatch(
            List<ClientStatement> statements,
            int from,
            ClientBulkWriteOptions options,
            WriteConcern writeConcern,
            CodecRegistry codecs) {
        this.statements = statements;
        this.from = from;
        this.options = options;
        this.writeConcern = writeConcern;
        this.codecs = codecs;
    }

    /** A retry carries the same statements, even where it meets a server with other limits. */
    @Override
    public void prepare(ConnectionDescription connection) {
        if (count > 0) {
            return;
        }
        int most = Math.min(statements.size() - from, connection.maxBatchCount());
        while (count < most && add(statements.get(from + count), connection)) {
            count++;
        }
        if (count == 0) {
            throw new MongoClientException("The statement with index " + from + ", for "
                    + statements.get(from).namespace() + ", is larger than the server's limit of "
                    + connection.maxMessageBytes() + " bytes for a message");
        }
    }

    /** False if there is no room left. */
    private boolean add(ClientStatement statement, ConnectionDescription connection) {
        int start = encoded.getPosition();
        String collection = statement.namespace().getFullName();
        boolean isNew = !collections.containsKey(collection);
        int number = isNew ? collections.size() : collections.getOrDefault(collection, 0);
        statement.write(encoded, number);
        int sizeOfNew = isNew ? encodedSize(collection) : 0;
        checkUnacknowledged(encoded.getPosition() - start, connection);
        long total = (long) BODY_BYTES + collectionBytes + sizeOfNew + encoded.getPosition();
        if (total > connection.maxMessageBytes() || collectionBytes + sizeOfNew > connection.maxDocumentBytes()) {
            encoded.truncateToPosition(start);
            return false;
        }
        if (isNew) {
            collections.put(collection, number);
            collectionBytes += sizeOfNew;
        }
        return true;
    }

    private static int encodedSize(String collection) {
        // Length, type, "ns", length of the string, the string and two ends.
        return ELEMENT_BYTES + 4 + 1 + 3 + 4 + collection.getBytes(StandardCharsets.UTF_8).length + 1 + 1;
    }

    /** An error of the server would not be noticed. */
    private void checkUnacknowledged(int bytes, ConnectionDescription connection) {
        if (!writeConcern.isAcknowledged() && bytes > connection.maxDocumentBytes()) {
            throw new MongoClientException("The statement with index " + (from + count) + " has " + bytes
                    + " bytes, more than the server's limit of " + connection.maxDocumentBytes());
        }
    }

    @Override
    public String commandName() {
        return "bulkWrite";
    }

    @Override
    public String database() {
        return "admin";
    }

    @Override
    public Kind kind() {
        return Kind.WRITE;
    }

    @Override
    public boolean isRetryable() {
        return statements.subList(from, from + count).stream().noneMatch(ClientStatement::isMulti);
    }

    @Override
    public WriteConcern writeConcern() {
        return writeConcern;
    }

    @Override
    public void write(BsonBinaryWriter writer, ConnectionDescription connection) {
        new Fields(writer, codecs)
                .put("bulkWrite", 1)
                .put("errorsOnly", !options.isVerboseResults())
                .put("ordered", options.isOrdered())
                .put("bypassDocumentValidation", options.getBypassDocumentValidation())
                .put("comment", options.getComment())
                .putBson("let", options.getLet());
        writer.writeStartArray("nsInfo");
        for (String each : collections.keySet()) {
            writer.writeStartDocument();
            writer.writeString("ns", each);
            writer.writeEndDocument();
        }
        writer.writeEndArray();
    }

    @Override
    public Command.Sequence sequence(ConnectionDescription connection) {
        return new Command.Sequence() {
            @Override
            public String field() {
                return "ops";
            }

            @Override
            public void write(BasicOutputBuffer out) {
                out.writeBytes(encoded.getInternalBuffer(), 0, encoded.getPosition());
            }
        };
    }

    @Override
    public Done result(Reply reply, ServerBinding server, ConnectionDescription connection) {
        return new Done(count, reply, CursorPage.of(reply, server));
    }

    @Override
    public boolean mayBeUnacknowledged() {
        return true;
    }

    @Override
    public Done unacknowledged() {
        return new Done(count, null, null);
    }
}
