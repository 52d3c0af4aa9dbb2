package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.DrivenSession;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.ClientSession;
import dev.semel.driver.setting.TransactionOptions;
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
        return session.getServerSessionIdentifier();
    }

    @Override
    public boolean isPinned() {
        return false;
    }

    @Override
    public boolean isDirty() {
        return session.isDirty();
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
                return Values.result(session.getSnapshotTime());
            }
            default -> throw new Unsupported("session." + operation);
        }
        return Outcome.NONE;
    }

    private void end(String operation, Arguments arguments) {
        Options.none(operation, arguments, "timeoutMS");
        BsonValue timeout = arguments.find("timeoutMS");
        boolean commits = operation.equals("commitTransaction");
        if (timeout == null && commits) {
            session.commitTransaction();
        } else if (timeout == null) {
            session.abortTransaction();
        } else if (commits) {
            session.commitTransaction(Values.millis(timeout));
        } else {
            session.abortTransaction(Values.millis(timeout));
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
