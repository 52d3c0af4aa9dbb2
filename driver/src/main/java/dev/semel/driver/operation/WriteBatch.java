package dev.semel.driver.operation;

import dev.semel.driver.connection.Command;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.Place;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** One command of a bulk write: as many statements of one kind, beginning with this one, as the server takes at once. */
final class WriteBatch implements Operation<WriteBatch.Done> {
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

        String field() {
            return field;
        }
    }

    /** What came of the statements that were sent; the answer is null where there is none. */
    record Done(
            int count,
            @Nullable BsonDocument reply,
            @Nullable Reply answered) {}

    private final MongoNamespace namespace;
    private final Verb verb;
    private final Statements statements;
    private final int from;
    private final BulkWriteOptions options;
    private final WriteConcern writeConcern;
    private final CodecRegistry codecs;
    private int sent;

    WriteBatch(
            MongoNamespace namespace,
            Verb verb,
            Statements statements,
            int from,
            BulkWriteOptions options,
            WriteConcern writeConcern,
            CodecRegistry codecs) {
        this.namespace = namespace;
        this.verb = verb;
        this.statements = statements;
        this.from = from;
        this.options = options;
        this.writeConcern = writeConcern;
        this.codecs = codecs;
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
    public Kind kind() {
        return Kind.WRITE;
    }

    @Override
    public boolean isRetryable() {
        return statements.isRetryable(from, sent);
    }

    /** A retry carries the same statements, even where it meets a server with other limits. */
    @Override
    public void prepare(ConnectionDescription connection) {
        if (sent == 0) {
            sent = statements.fitting(from, connection);
        }
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
        return statements.sequence(from, sent);
    }

    @Override
    public Done result(Reply reply, Place server, ConnectionDescription connection) {
        return new Done(sent, reply.document(), reply);
    }

    @Override
    public boolean mayBeUnacknowledged() {
        return true;
    }

    @Override
    public Done unacknowledged() {
        return new Done(sent, null, null);
    }
}
