package dev.semel.driver.execution;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.setting.ClientSessionOptions;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.TransactionOptions;
import dev.semel.driver.topology.PinnedConnection;
import dev.semel.driver.topology.ServerBinding;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.bson.BsonBinary;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * A session as the client sees it. It takes a session known to the server when the first command goes out, and gives it back
 * when it ends. Used by one thread at a time.
 */
public final class Session {
    /** Where the session is with its transaction. */
    public enum TransactionState {
        NONE,
        STARTING,
        IN_PROGRESS,
        COMMITTED,
        ABORTED
    }

    private final ServerSessions pool;
    private final boolean isImplicit;
    private final ClientSessionOptions options;
    private @Nullable ServerSession serverSession;
    private boolean isEnded;
    private @Nullable BsonTimestamp operationTime;
    private @Nullable BsonTimestamp snapshotTime;
    private @Nullable RawDocument clusterTime;
    private Deadline bound = Deadline.NONE;
    private TransactionState state = TransactionState.NONE;
    private TransactionOptions transactionOptions = TransactionOptions.DEFAULT;
    private @Nullable BsonDocument recoveryToken;
    private @Nullable ServerAddress router;
    private @Nullable PinnedConnection connection;

    private Session(ServerSessions pool, boolean isImplicit, ClientSessionOptions options) {
        this.pool = pool;
        this.isImplicit = isImplicit;
        this.options = options;
        snapshotTime = options.snapshotTime();
    }

    /** For one operation and its cursor, invisible to the application. */
    public static Session implicit(ServerSessions pool) {
        return new Session(pool, true, ClientSessionOptions.DEFAULT);
    }

    public static Session explicit(ServerSessions pool, ClientSessionOptions options) {
        return new Session(pool, false, options);
    }

    public boolean isImplicit() {
        return isImplicit;
    }

    public ClientSessionOptions options() {
        return options;
    }

    public boolean isEnded() {
        return isEnded;
    }

    /** Gives the server's session back. A transaction that is still open is the caller's to abort. */
    public void end() {
        if (!isEnded) {
            isEnded = true;
            unpin();
            if (serverSession != null) {
                pool.release(serverSession);
                serverSession = null;
            }
        }
    }

    ServerSession serverSession() {
        if (isEnded) {
            throw new IllegalStateException("The session has ended");
        }
        ServerSession known = serverSession;
        if (known == null) {
            known = pool.acquire();
            serverSession = known;
        }
        return known;
    }

    /** The session id on the server. */
    public BsonDocument identifier() {
        return serverSession().identifier();
    }

    BsonBinary id() {
        return serverSession().id();
    }

    void serverSessionUsed() {
        if (serverSession != null) {
            serverSession.used();
        }
    }

    public boolean isDirty() {
        return serverSession != null && serverSession.isDirty();
    }

    void markDirty() {
        if (serverSession != null) {
            serverSession.markDirty();
        }
    }

    /** All that is done with the session has to be done by this, until it is bound otherwise. Returns what held before. */
    public Deadline bind(Deadline next) {
        Deadline before = bound;
        bound = next;
        return before;
    }

    public boolean isBound() {
        return bound.isGiven();
    }

    Deadline deadlineOr(Deadline ofOperation) {
        return bound.isGiven() ? bound : ofOperation;
    }

    public TransactionState transactionState() {
        return state;
    }

    public boolean inTransaction() {
        return state == TransactionState.STARTING || state == TransactionState.IN_PROGRESS;
    }

    public TransactionOptions transactionOptions() {
        return transactionOptions;
    }

    /** Nothing is sent: the first command begins the transaction. */
    public void begin(TransactionOptions with) {
        if (inTransaction()) {
            throw new IllegalStateException("Transaction already in progress");
        }
        if (options.snapshot()) {
            throw new IllegalArgumentException("Transactions are not supported in snapshot sessions");
        }
        var concern = with.writeConcern();
        if (concern != null && !concern.isAcknowledged()) {
            throw new MongoClientException("Transactions do not support unacknowledged write concern");
        }
        unpin();
        transactionOptions = with;
        recoveryToken = null;
        serverSession().nextTxnNumber();
        state = TransactionState.STARTING;
    }

    public void transitionTo(TransactionState next) {
        state = next;
    }

    /** The rest of the transaction goes to the same router, or to the same connection: only they have it. */
    void pin(ServerBinding begun) {
        if (begun instanceof PinnedConnection pinned) {
            connection = pinned;
            pinned.keepForTransaction();
        } else {
            router = begun.address();
        }
    }

    /** The transaction is over, or cannot go on there. */
    public void unpin() {
        router = null;
        PinnedConnection pinned = connection;
        connection = null;
        if (pinned != null) {
            pinned.transactionEnded();
        }
    }

    @Nullable
    ServerAddress router() {
        return router;
    }

    @Nullable
    PinnedConnection pinnedConnection() {
        return connection;
    }

    public @Nullable BsonDocument recoveryToken() {
        return recoveryToken;
    }

    long txnNumber() {
        return serverSession().txnNumber();
    }

    public @Nullable BsonTimestamp operationTime() {
        return operationTime;
    }

    public void advanceOperationTime(@Nullable BsonTimestamp time) {
        if (time != null && (operationTime == null || time.compareTo(operationTime) > 0)) {
            operationTime = time;
        }
    }

    public @Nullable BsonTimestamp snapshotTime() {
        return snapshotTime;
    }

    public @Nullable RawDocument clusterTime() {
        return clusterTime;
    }

    public void advanceClusterTime(@Nullable RawDocument time) {
        if (time != null && (clusterTime == null || ClusterClock.isLater(time, clusterTime))) {
            clusterTime = time.detached();
        }
    }

    /** Remembers what later commands of this session must know. */
    void heard(Reply reply) {
        if (isImplicit) {
            return;
        }
        advanceClusterTime(reply.nested("$clusterTime"));
        if (reply.body().get("operationTime") instanceof Value.Timestamp(long value)) {
            advanceOperationTime(new BsonTimestamp(value));
        }
        if (options.snapshot() && snapshotTime == null) {
            snapshotTime = atClusterTime(reply);
        }
        RawDocument token = reply.nested("recoveryToken");
        if (token != null && inTransaction()) {
            recoveryToken = Reply.decode(token, new BsonDocumentCodec());
        }
    }

    private static @Nullable BsonTimestamp atClusterTime(Reply reply) {
        RawDocument cursor = reply.nested("cursor");
        Value time = cursor == null ? reply.body().get("atClusterTime") : cursor.get("atClusterTime");
        return time instanceof Value.Timestamp(long value) ? new BsonTimestamp(value) : null;
    }

    /**
     * The read concern of a command, with the moment it must not read before: writes have that too, so that what is written
     * is ordered behind what was read. A snapshot session asks for its snapshot whatever the command; the server says which
     * commands cannot have one.
     */
    void writeReadConcern(BsonBinaryWriter writer, Operation.Kind kind, @Nullable ReadConcern concern) {
        if (options.snapshot()) {
            writeSnapshot(writer);
            return;
        }
        String level = concern == null ? null : concern.level();
        boolean isOrdered = concern != null || kind == Operation.Kind.WRITE;
        BsonTimestamp after = isOrdered && !isImplicit && options.isCausallyConsistent() ? operationTime : null;
        if (level == null && after == null) {
            return;
        }
        writer.writeStartDocument("readConcern");
        if (level != null) {
            writer.writeString("level", level);
        }
        if (after != null) {
            writer.writeTimestamp("afterClusterTime", after);
        }
        writer.writeEndDocument();
    }

    private void writeSnapshot(BsonBinaryWriter writer) {
        writer.writeStartDocument("readConcern");
        writer.writeString("level", "snapshot");
        if (snapshotTime != null) {
            writer.writeTimestamp("atClusterTime", snapshotTime);
        }
        writer.writeEndDocument();
    }
}
