package dev.semel.driver;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.execution.Session;
import dev.semel.driver.execution.Session.TransactionState;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CommitTransaction;
import dev.semel.driver.setting.ClientSessionOptions;
import dev.semel.driver.setting.TransactionOptions;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** A session for related operations and transactions. Used by one thread at a time; close it when done. */
public final class ClientSession implements AutoCloseable {
    private final Scope scope;
    private final Session session;
    private final TransactionOptions defaults;
    private final DoubleSupplier jitter;
    private boolean sentAnything;

    ClientSession(Scope scope, ClientSessionOptions options, DoubleSupplier jitter) {
        this.scope = scope;
        this.jitter = jitter;
        session = Session.explicit(scope.execution().sessions(), options);
        defaults = options.defaultTransactionOptions()
                .orElse(new TransactionOptions(
                        scope.readConcern(), scope.writeConcern(), scope.readPreference(), null, null));
    }

    /** For an operation of the same client. */
    Session session(Scope caller) {
        if (caller.execution() != scope.execution()) {
            throw new MongoClientException("The session belongs to another client");
        }
        checkOpen();
        if (session.isBound() && !Objects.equals(caller.timeout(), scope.timeout())) {
            throw new MongoClientException(
                    "The timeout of withTransaction cannot be changed for one of its operations");
        }
        return session;
    }

    private void checkOpen() {
        if (session.isEnded()) {
            throw new IllegalStateException("The session has ended");
        }
    }

    public ClientSessionOptions getOptions() {
        return session.options();
    }

    public boolean isCausallyConsistent() {
        return session.options().isCausallyConsistent();
    }

    /** The session id sent to the server. */
    public BsonDocument getServerSessionIdentifier() {
        checkOpen();
        return session.identifier();
    }

    /** Whether a network error occurred in the session; the pool then discards the server session. */
    public boolean isDirty() {
        return session.isDirty();
    }

    public @Nullable BsonTimestamp getOperationTime() {
        return session.operationTime();
    }

    public void advanceOperationTime(@Nullable BsonTimestamp time) {
        session.advanceOperationTime(time);
    }

    public @Nullable BsonDocument getClusterTime() {
        RawDocument time = session.clusterTime();
        return time == null ? null : new RawBsonDocument(time.toBytes());
    }

    public void advanceClusterTime(@Nullable BsonDocument time) {
        if (time != null) {
            var bytes = new RawBsonDocument(time, new org.bson.codecs.BsonDocumentCodec()).getByteBuffer();
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            session.advanceClusterTime(RawDocument.of(copy));
        }
    }

    /** The snapshot time of a snapshot session, null before its first read. */
    public @Nullable BsonTimestamp getSnapshotTime() {
        if (!session.options().snapshot()) {
            throw new IllegalStateException("Only a snapshot session has a snapshot time");
        }
        return session.snapshotTime();
    }

    public boolean hasActiveTransaction() {
        return session.inTransaction();
    }

    public TransactionOptions getTransactionOptions() {
        return session.transactionOptions();
    }

    public void startTransaction() {
        startTransaction(TransactionOptions.DEFAULT);
    }

    public void startTransaction(TransactionOptions options) {
        checkOpen();
        session.begin(options.orElse(defaults));
        sentAnything = false;
    }

    /** May be called again when its result is unknown. */
    public void commitTransaction() {
        commitTransaction(deadline());
    }

    /** With its own timeout; zero is no limit. Not inside {@code withTransaction}, which has one for all. */
    public void commitTransaction(Duration timeout) {
        commitTransaction(ownDeadline(timeout));
    }

    private void commitTransaction(Deadline deadline) {
        checkOpen();
        switch (session.transactionState()) {
            case NONE -> throw new IllegalStateException("There is no transaction started");
            case ABORTED ->
                throw new IllegalStateException("Cannot call commitTransaction after calling abortTransaction");
            case STARTING -> session.transitionTo(TransactionState.COMMITTED);
            case IN_PROGRESS -> commit(false, deadline);
            case COMMITTED -> {
                if (sentAnything) {
                    commit(true, deadline);
                }
            }
        }
    }

    private void commit(boolean isRepeated, Deadline deadline) {
        sentAnything = true;
        var operation = new CommitTransaction(
                writeConcern(),
                isRepeated,
                session.transactionOptions().maxCommitTime(),
                session.recoveryToken(),
                scope.codecs());
        // Whatever comes of it, only another commit can follow.
        session.transitionTo(TransactionState.COMMITTED);
        scope.execution().run(operation, session, deadline);
    }

    private WriteConcern writeConcern() {
        WriteConcern concern = session.transactionOptions().writeConcern();
        return concern == null ? WriteConcern.ACKNOWLEDGED : concern;
    }

    private Deadline deadline() {
        return deadline(session.transactionOptions());
    }

    private Deadline deadline(TransactionOptions options) {
        Duration own = options.timeout();
        Duration ofSession = session.options().defaultTimeout();
        return scope.execution()
                .time()
                .ofOperation(own != null ? own : ofSession != null ? ofSession : scope.timeout());
    }

    private Deadline ownDeadline(Duration timeout) {
        if (session.isBound()) {
            throw new MongoClientException(
                    "The timeout of withTransaction cannot be changed for the end of its transaction");
        }
        return scope.execution().time().ofOperation(timeout);
    }

    /** Errors are ignored, because the server aborts transactions that are not committed. */
    public void abortTransaction() {
        abortTransaction(deadline());
    }

    /** With its own timeout; zero is no limit. Not inside {@code withTransaction}, which has one for all. */
    public void abortTransaction(Duration timeout) {
        abortTransaction(ownDeadline(timeout));
    }

    private void abortTransaction(Deadline deadline) {
        checkOpen();
        switch (session.transactionState()) {
            case NONE -> throw new IllegalStateException("There is no transaction started");
            case ABORTED -> throw new IllegalStateException("Cannot call abortTransaction twice");
            case COMMITTED ->
                throw new IllegalStateException("Cannot call abortTransaction after calling commitTransaction");
            case STARTING -> session.transitionTo(TransactionState.ABORTED);
            case IN_PROGRESS -> abort(deadline);
        }
    }

    private void abort(Deadline deadline) {
        session.transitionTo(TransactionState.ABORTED);
        BsonDocument recoveryToken = session.recoveryToken();
        var operation = CommandOperation.of(
                        "abortTransaction",
                        "admin",
                        CommandOperation.Traits.ABORT,
                        scope.codecs(),
                        fields -> fields.put("abortTransaction", 1).putBson("recoveryToken", recoveryToken),
                        (reply, server) -> reply)
                .withConcerns(null, writeConcern());
        // Nothing may be left of the transaction's timeout: the abort has its own.
        Deadline bound = session.bind(Deadline.NONE);
        try {
            scope.execution().run(operation, session, deadline);
        } catch (MongoException e) {
            // The transaction ends with its session or its time limit at the latest.
        } finally {
            session.unpin();
            session.bind(bound);
        }
    }

    public <T> T withTransaction(TransactionBody<T> body) {
        return withTransaction(body, TransactionOptions.DEFAULT);
    }

    /** Runs the body and commits; retries both after transient errors. */
    public <T> T withTransaction(TransactionBody<T> body, TransactionOptions options) {
        checkOpen();
        Deadline whole = deadline(options.orElse(defaults));
        Deadline before = session.bind(whole);
        try {
            return new TransactionRetry(this, whole, scope.execution().time(), jitter).run(body, options);
        } finally {
            session.bind(before);
        }
    }

    /** Aborts an open transaction. */
    @Override
    public void close() {
        if (session.isEnded()) {
            return;
        }
        try {
            if (session.transactionState() == TransactionState.IN_PROGRESS) {
                abort(deadline());
            }
        } finally {
            session.end();
        }
    }
}
