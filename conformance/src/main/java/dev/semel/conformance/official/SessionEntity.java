package dev.semel.conformance.official;

import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.DrivenSession;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A session entity. */
record SessionEntity(ClientSession session) implements DrivenSession {
    static @Nullable ClientSession of(Arguments arguments) {
        return arguments.session() instanceof SessionEntity(ClientSession session) ? session : null;
    }

    @Override
    public BsonDocument lsid() {
        return session.getServerSession().getIdentifier();
    }

    @Override
    public boolean isPinned() {
        return session.getPinnedServerAddress() != null;
    }

    @Override
    public boolean isDirty() {
        return session.getServerSession().isMarkedDirty();
    }

    @Override
    public boolean hasTransaction() {
        return session.hasActiveTransaction();
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        switch (operation) {
            case "startTransaction" -> session.startTransaction(Concerns.transactionOptions(arguments.values()));
            case "commitTransaction", "abortTransaction" -> end(operation, arguments);
            case "withTransaction" -> withTransaction(arguments);
            case "endSession" -> session.close();
            case "getSnapshotTime" -> {
                return Values.result(session.getSnapshotTimestamp());
            }
            default -> throw new Unsupported("session." + operation);
        }
        return Outcome.NONE;
    }

    private void end(String operation, Arguments arguments) {
        Options.none(operation, arguments);
        if (operation.equals("commitTransaction")) {
            session.commitTransaction();
        } else {
            session.abortTransaction();
        }
    }

    private void withTransaction(Arguments arguments) {
        TransactionOptions options = Concerns.transactionOptions(arguments.values());
        Runnable callback = Objects.requireNonNull(arguments.callback());
        BsonValue done = session.withTransaction(
                () -> {
                    callback.run();
                    return new BsonInt32(1);
                },
                options);
        Objects.requireNonNull(done);
    }

    @Override
    public void close() {
        session.close();
    }
}
