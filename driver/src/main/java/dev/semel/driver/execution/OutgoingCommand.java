package dev.semel.driver.execution;

import dev.semel.driver.connection.Command;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyType;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerApi;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/** One attempt of an operation as a message: the operation's own fields, and those that every command carries. */
record OutgoingCommand(
        Operation<?> operation,
        ConnectionDescription connection,
        TopologyType topology,
        Session session,
        boolean sendsSession,
        boolean beginsTransaction,
        boolean inTransaction,
        long txnNumber,
        long timeLeftMs,
        ClusterClock clock,
        @Nullable ServerApi api)
        implements Command {
    private static final BsonDocumentCodec DOCUMENT = new BsonDocumentCodec();
    private static final EncoderContext CONTEXT = EncoderContext.builder().build();

    @Override
    public String name() {
        return operation.commandName();
    }

    @Override
    public void writeFields(BsonBinaryWriter writer) {
        operation.write(writer, connection);
        writer.writeString("$db", operation.database());
        Duration maxTime = operation.maxTime();
        if (timeLeftMs > 0 && operation.acceptsMaxTime()) {
            writer.writeInt64("maxTimeMS", timeLeftMs);
        } else if (maxTime != null) {
            writer.writeInt64("maxTimeMS", maxTime.toMillis());
        }
        writeConcerns(writer);
        writeSession(writer);
        writeReadPreference(writer);
        if (api != null) {
            writeApi(writer, api);
        }
    }

    private void writeConcerns(BsonBinaryWriter writer) {
        ReadConcern readConcern = operation.readConcern();
        if (beginsTransaction) {
            ReadConcern ofTransaction = session.transactionOptions().readConcern();
            session.writeReadConcern(
                    writer, Operation.Kind.READ, ofTransaction == null ? ReadConcern.DEFAULT : ofTransaction);
        } else if (!inTransaction && !operation.endsTransaction() && operation.server() == null) {
            session.writeReadConcern(writer, operation.kind(), readConcern);
        }
        WriteConcern writeConcern = operation.writeConcern();
        if (writeConcern != null && timeLeftMs > 0) {
            // The timeout of the whole operation stands in its place.
            writeConcern = writeConcern.withWTimeout(null);
        }
        if (writeConcern != null
                && !writeConcern.isServerDefault()
                && (writeConcern.isAcknowledged() || operation.mayBeUnacknowledged())
                && (!inTransaction || operation.endsTransaction())) {
            writer.writeName("writeConcern");
            DOCUMENT.encode(writer, writeConcern.asDocument(), CONTEXT);
        }
    }

    private void writeSession(BsonBinaryWriter writer) {
        if (sendsSession) {
            writer.writeStartDocument("lsid");
            writer.writeBinaryData("id", session.id());
            writer.writeEndDocument();
            if (txnNumber >= 0) {
                writer.writeInt64("txnNumber", txnNumber);
            }
            if (beginsTransaction) {
                writer.writeBoolean("startTransaction", true);
            }
            if (inTransaction || operation.endsTransaction()) {
                writer.writeBoolean("autocommit", false);
            }
        }
        clock.write(writer, session.clusterTime());
    }

    private void writeReadPreference(BsonBinaryWriter writer) {
        boolean isPlainWrite = operation.kind() == Operation.Kind.WRITE
                && operation.readPreference().isPrimary();
        if (isPlainWrite || connection.serverType() == ServerType.STANDALONE) {
            return;
        }
        ReadPreference preference = operation.readPreference();
        ReadPreference ofTransaction =
                inTransaction ? session.transactionOptions().readPreference() : null;
        preference = ofTransaction == null ? preference : ofTransaction;
        if (topology == TopologyType.SINGLE && connection.serverType() != ServerType.MONGOS && preference.isPrimary()) {
            // A direct connection reads from its member, whatever the role of that is.
            preference = ReadPreference.primaryPreferred();
        }
        if (!preference.isPrimary()) {
            BsonDocument document = preference.toDocument();
            writer.writeName("$readPreference");
            DOCUMENT.encode(writer, document, CONTEXT);
        }
    }

    private void writeApi(BsonBinaryWriter writer, ServerApi version) {
        writer.writeString("apiVersion", version.version());
        Boolean strict = version.strict();
        if (strict != null) {
            writer.writeBoolean("apiStrict", strict);
        }
        Boolean deprecationErrors = version.deprecationErrors();
        if (deprecationErrors != null) {
            writer.writeBoolean("apiDeprecationErrors", deprecationErrors);
        }
    }

    @Override
    public @Nullable Sequence sequence() {
        return operation.sequence(connection);
    }
}
