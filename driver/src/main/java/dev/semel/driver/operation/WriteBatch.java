package dev.semel.driver.operation;

import dev.semel.driver.connection.Command;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.connection.SizeLimit;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.ServerBinding;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/** One command of a bulk write: as many statements of one kind, beginning with this one, as the server takes at once. */
final class WriteBatch implements RetryableWrite<WriteBatch.Done> {
    /** The commands that take statements, with the field they take them in. */
    enum Verb {
        INSERT("insert", "documents"),
        UPDATE("update", "updates"),
        DELETE("delete", "deletes");

        private final String command;
        private final String field;

        Verb(String command, String field) {
            this.command = command;
            this.field = field;
        }
    }

    /** What came of the statements that were sent; the answer is null where there is none. */
    record Done(
            int count,
            @Nullable BsonDocument reply,
            @Nullable Reply answered) {}

    /** The statements that follow each other, encoded only when their turn has come. */
    interface Statements {
        Verb verb();

        int count();

        /** Not one of many documents. */
        boolean mayBeRepeated(int statement);

        /** Writes the one with this number, and returns the length of the document in it that is to be stored, or 0. */
        int write(int statement, BsonBinaryWriter writer, BasicOutputBuffer out);
    }

    private final MongoNamespace namespace;
    private final Verb verb;
    private final Statements statements;
    private final int from;
    private final BulkWriteOptions options;
    private final WriteConcern writeConcern;
    private final CodecRegistry codecs;
    private final BasicOutputBuffer encoded;
    private boolean isRetryable = true;
    private int sent;

    /** The buffer is this batch's until it is done. */
    WriteBatch(
            MongoNamespace namespace,
            Statements statements,
            int from,
            BulkWriteOptions options,
            WriteConcern writeConcern,
            CodecRegistry codecs,
            BasicOutputBuffer buffer) {
        this.namespace = namespace;
        this.verb = statements.verb();
        this.statements = statements;
        this.from = from;
        this.options = options;
        this.writeConcern = writeConcern;
        this.codecs = codecs;
        encoded = buffer;
    }

    @Override
    public String commandName() {
        return verb.command;
    }

    @Override
    public String database() {
        return namespace.databaseName();
    }

    @Override
    public boolean isRetryable() {
        return isRetryable;
    }

    /** A retry carries the same statements, even where it meets a server with other limits. */
    @Override
    public void prepare(ConnectionDescription connection) {
        if (sent > 0) {
            return;
        }
        encoded.truncateToPosition(0);
        var writer = new BsonBinaryWriter(encoded);
        int most = Math.min(statements.count() - from, connection.maxBatchCount());
        int count = 0;
        while (count < most && add(count, writer, connection)) {
            count++;
        }
        sent = count;
    }

    /** False if there is no room left. */
    private boolean add(int count, BsonBinaryWriter writer, ConnectionDescription connection) {
        int start = encoded.getPosition();
        int stored = statements.write(from + count, writer, encoded);
        int size = encoded.getPosition() - start;
        int storedMax = connection.maxDocumentBytes();
        long sizeMax = SizeLimit.ofContaining(storedMax);
        if (count == 0) {
            SizeLimit.check("A document", stored, storedMax);
            SizeLimit.check("A statement", size, sizeMax);
        }
        boolean isTooLarge = stored > storedMax || size > sizeMax;
        boolean fits = encoded.getPosition() <= connection.maxMessageBytes() - SizeLimit.COMMAND_OVERHEAD_BYTES;
        if (isTooLarge || (count > 0 && !fits)) {
            encoded.truncateToPosition(start);
            return false;
        }
        isRetryable &= statements.mayBeRepeated(from + count);
        return true;
    }

    @Override
    public WriteConcern writeConcern() {
        return writeConcern;
    }

    @Override
    public void write(BsonBinaryWriter writer, ConnectionDescription connection) {
        new Fields(writer, codecs)
                .put(verb.command, namespace.collectionName())
                .put("ordered", options.isOrdered())
                .put("bypassDocumentValidation", verb == Verb.DELETE ? null : options.getBypassDocumentValidation())
                .put("comment", options.getComment())
                .putBson("let", verb == Verb.INSERT ? null : options.getLet());
    }

    @Override
    public Command.Sequence sequence(ConnectionDescription connection) {
        return new Command.Sequence() {
            @Override
            public String field() {
                return verb.field;
            }

            @Override
            public void write(BasicOutputBuffer out) {
                out.writeBytes(encoded.getInternalBuffer(), 0, encoded.getPosition());
            }
        };
    }

    @Override
    public Done result(Reply reply, ServerBinding server, ConnectionDescription connection) {
        return new Done(sent, reply.document(), reply);
    }

    @Override
    public Done unacknowledged() {
        return new Done(sent, null, null);
    }
}
