package dev.semel.driver.execution;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.description.TopologyType;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.error.MongoSocketReadTimeoutException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.error.MongoWaitQueueTimeoutException;
import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.Server;
import dev.semel.driver.topology.ServerSelection;
import dev.semel.driver.topology.Topology;
import dev.semel.wire.message.Message;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Carries out operations: selects a server, checks a connection out, sends the command, reads the answer, and does all that
 * again when {@link RetryPolicy} says so. This is the only place that retries.
 */
public final class Execution {
    private static final int TRANSACTION_NUMBERS_NOT_SUPPORTED = 20;
    private static final int MAX_TIME_MS_EXPIRED = 50;
    private static final ServerSelection.Wish WRITABLE = new ServerSelection.Wish.Writable();
    private static final ServerSelection.Wish READ_PRIMARY =
            new ServerSelection.Wish.ByPreference(ReadPreference.primary());

    private final Topology topology;
    private final ServerSessions sessions;
    private final ExecutionSettings settings;
    private final RetryPolicy policy;
    private final Monitoring monitoring;
    private final ClusterClock clock = new ClusterClock();
    private final AtomicLong operationIds = new AtomicLong();

    public Execution(Topology topology, ServerSessions sessions, ExecutionSettings settings) {
        this.topology = topology;
        this.sessions = sessions;
        this.settings = settings;
        policy = new RetryPolicy(settings);
        monitoring = new Monitoring(settings.commandListeners(), settings.retryListeners());
    }

    public ServerSessions sessions() {
        return sessions;
    }

    public ClusterClock clock() {
        return clock;
    }

    public TopologyDescription topology() {
        return topology.description();
    }

    public long nextOperationId() {
        return operationIds.incrementAndGet();
    }

    /** The result, or the exception that tells most about all failed attempts. */
    public <R> R run(Operation<R> operation, Session session, Deadline deadline) {
        return run(operation, session, deadline, nextOperationId());
    }

    /** With an id that several commands share: they are parts of one operation. */
    public <R> R run(Operation<R> operation, Session session, Deadline deadline, long operationId) {
        return new Run<>(operation, session, deadline, operationId).result();
    }

    /** One operation with all its attempts. */
    private final class Run<R> {
        private final Operation<R> operation;
        private final Session session;
        private final Deadline deadline;
        private final long operationId;
        private final boolean inTransaction;
        private final boolean beginsTransaction;
        private final boolean isAcknowledged;
        private Set<ServerAddress> avoided = Set.of();
        private int attempts;
        private boolean anyOverload;
        private long txnNumber = -1;
        private @Nullable MongoException raised;

        // Of the attempt under way.
        private @Nullable Server server;
        private @Nullable Connection connection;
        private boolean wasSent;

        Run(Operation<R> operation, Session session, Deadline deadline, long operationId) {
            this.operation = operation;
            this.session = session;
            this.deadline = deadline;
            this.operationId = operationId;
            inTransaction = session.inTransaction();
            beginsTransaction =
                    session.transactionState() == Session.TransactionState.STARTING && !operation.endsTransaction();
            WriteConcern concern = operation.writeConcern();
            isAcknowledged =
                    concern == null || concern.isAcknowledged() || inTransaction || !operation.mayBeUnacknowledged();
            if (!inTransaction && !operation.endsTransaction() && !session.isImplicit()) {
                session.transitionTo(Session.TransactionState.NONE);
            }
        }

        R result() {
            while (true) {
                try {
                    R result = attempt();
                    if (attempts > 0 && monitoring.hasRetryListeners()) {
                        monitoring.rescued(operationId, operation.commandName(), attempts + 1);
                    }
                    return result;
                } catch (MongoException e) {
                    ServerAddress failedOn = server == null ? null : server.address();
                    release();
                    MongoException last = handled(e, failedOn);
                    if (last != null) {
                        throw last;
                    }
                } finally {
                    release();
                }
            }
        }

        private void release() {
            Server selected = server;
            Connection used = connection;
            server = null;
            connection = null;
            if (selected != null) {
                if (used != null) {
                    selected.checkIn(used);
                }
                if (operation.server() == null) {
                    selected.released();
                }
            }
        }

        private R attempt() {
            wasSent = false;
            Server pinned = operation.server();
            Server selected = pinned == null ? topology.select(wish(), avoided, deadline) : pinned;
            server = selected;
            Connection open = selected.checkOut(deadline);
            connection = open;
            ConnectionDescription description = open.description();
            boolean supportsSessions = description.supportsSessions();
            if (!supportsSessions && !session.isImplicit()) {
                throw new MongoClientException("Sessions are not supported by the server at " + open.address());
            }
            chooseTxnNumber(description);
            var command = new OutgoingCommand(
                    operation,
                    description,
                    topology.description().type(),
                    session,
                    supportsSessions && (isAcknowledged || !session.isImplicit()),
                    beginsTransaction,
                    inTransaction,
                    txnNumber,
                    timeLeftMs(selected),
                    clock,
                    settings.serverApi());
            return exchange(command, open, selected);
        }

        private ServerSelection.Wish wish() {
            if (operation.kind() == Operation.Kind.WRITE) {
                return WRITABLE;
            }
            ReadPreference preference = operation.readPreference();
            if (inTransaction) {
                ReadPreference ofTransaction = session.transactionOptions().readPreference();
                preference = ofTransaction == null ? ReadPreference.primary() : ofTransaction;
                if (!preference.isPrimary()
                        || (isExplicit() && !operation.readPreference().isPrimary())) {
                    throw new MongoClientException("Read preference in a transaction must be primary");
                }
            }
            return preference.isPrimary() ? READ_PRIMARY : new ServerSelection.Wish.ByPreference(preference);
        }

        /** A generic command has the read preference that was given with it, not one of a collection. */
        private boolean isExplicit() {
            return operation.kind() == Operation.Kind.GENERIC;
        }

        /** The same number for every attempt: that is how the server recognises a retry. */
        private void chooseTxnNumber(ConnectionDescription description) {
            if (inTransaction || operation.endsTransaction()) {
                txnNumber = session.txnNumber();
                return;
            }
            boolean isEligible = operation.kind() == Operation.Kind.WRITE
                    && operation.isRetryable()
                    && settings.retryWrites()
                    && isAcknowledged
                    && description.supportsRetryableWrites();
            if (isEligible && txnNumber < 0) {
                txnNumber = session.serverSession().nextTxnNumber();
            }
            if (!isEligible && txnNumber >= 0 && raised != null) {
                // This server would not recognise the retry and might do it twice.
                throw raised;
            }
        }

        private long timeLeftMs(Server selected) {
            if (!deadline.isSet()) {
                return -1;
            }
            long ms = deadline.remainingMs()
                    - selected.description().minRoundTripTime().toMillis();
            if (ms <= 0) {
                throw new MongoOperationTimeoutException(
                        "There is no time left for a round trip to " + selected.address());
            }
            return ms;
        }

        private R exchange(OutgoingCommand command, Connection open, Server selected) {
            int requestId = open.encode(command, isAcknowledged ? 0 : Message.OpMsg.MORE_TO_COME);
            if (beginsTransaction) {
                session.transitionTo(Session.TransactionState.IN_PROGRESS);
            }
            Monitoring.Attempt told = monitoring.hasCommandListeners()
                    ? monitoring.started(operationId, requestId, open, operation.database(), operation.commandName())
                    : null;
            long start = System.nanoTime();
            try {
                wasSent = true;
                open.send(operation.commandName());
                if (!isAcknowledged) {
                    if (told != null) {
                        monitoring.sentUnacknowledged(told, since(start));
                    }
                    return operation.unacknowledged();
                }
                Reply reply = open.receive(deadline);
                hear(reply);
                if (!reply.isOk()) {
                    throw ErrorReply.exception(reply.document(), open.address());
                }
                if (told != null) {
                    monitoring.succeeded(told, reply, since(start));
                }
                told = null;
                checkWriteConcern(reply, open, selected);
                return operation.result(reply, selected, open.description());
            } catch (MongoException e) {
                if (told != null) {
                    monitoring.failed(told, e, since(start));
                }
                if (wasSent) {
                    failedInUse(e, open, selected);
                }
                throw e;
            }
        }

        private void hear(Reply reply) {
            clock.advance(reply.nested("$clusterTime"));
            session.heard(reply);
            session.serverSessionUsed();
        }

        /** A write that was done but not durably enough, if the server says that it should be tried again. */
        private void checkWriteConcern(Reply reply, Connection open, Server selected) {
            if (operation.kind() != Operation.Kind.WRITE || !reply.has("writeConcernError")) {
                return;
            }
            BsonDocument document = reply.document();
            var error = new MongoWriteConcernException(
                    ErrorReply.writeConcernError(document.getDocument("writeConcernError")), document, open.address());
            ErrorReply.addLabels(document, error);
            if (error.hasErrorLabel(MongoException.RETRYABLE_WRITE_ERROR_LABEL) || error.isRetryableOverload()) {
                throw error;
            }
            selected.failed(open, error);
        }

        private void failedInUse(MongoException e, Connection open, Server selected) {
            if (e instanceof MongoSocketException) {
                session.markDirty();
            }
            selected.failed(open, e);
        }

        /** The exception to raise, or null for another attempt. */
        private @Nullable MongoException handled(MongoException failure, @Nullable ServerAddress failedOn) {
            MongoException e = asSeenByUser(failure);
            if (raised == e) {
                return e;
            }
            attempts++;
            operation.attemptFailed(e);
            boolean isOverload = e.isRetryableOverload();
            anyOverload |= isOverload;
            if (beginsTransaction && isOverload) {
                session.transitionTo(Session.TransactionState.STARTING);
            }
            policy.label(operation, e, inTransaction, txnNumber >= 0 || !wasSent);
            TransactionLabels.add(operation, e, inTransaction);
            RetryEvent.Decision decision = decide(e);
            moreTelling(e);
            MongoException toRaise = raised == null ? e : raised;
            Duration pause = decision == RetryEvent.Decision.RETRIED_AFTER_OVERLOAD
                    ? policy.backOff(e, attempts)
                    : Duration.ZERO;
            if (decision.isRetry() && deadline.isSet() && deadline.remainingNanos() <= pause.toNanos()) {
                decision = RetryEvent.Decision.NO_TIME_LEFT;
            }
            if (monitoring.hasRetryListeners()) {
                monitoring.attemptFailed(new RetryEvent(
                        operationId, operation.commandName(), attempts, failedOn, e, txnNumber, decision));
            }
            if (!decision.isRetry()) {
                return toRaise;
            }
            avoid(failedOn, isOverload);
            sleep(pause, toRaise);
            return null;
        }

        private RetryEvent.Decision decide(MongoException e) {
            if (e instanceof MongoTimeoutException && !wasSent && !(e instanceof MongoWaitQueueTimeoutException)) {
                return RetryEvent.Decision.NOT_A_RETRYABLE_ERROR;
            }
            if (!isAcknowledged) {
                return RetryEvent.Decision.NOT_A_RETRYABLE_OPERATION;
            }
            return policy.decide(
                    operation, e, new RetryPolicy.Attempts(attempts, anyOverload, deadline.isSet(), inTransaction));
        }

        /** Keeps the failure the user should hear of: the newest that may have written, else the first. */
        private void moreTelling(MongoException e) {
            boolean mayHaveWritten = RetryPolicy.mayHaveWritten(e, wasSent);
            if (raised == null || mayHaveWritten) {
                raised = e;
            }
        }

        private MongoException asSeenByUser(MongoException e) {
            if (e instanceof MongoSocketReadTimeoutException && deadline.isSet()) {
                return new MongoOperationTimeoutException("Operation exceeded the timeout limit: " + e.getMessage(), e);
            }
            if (e.getCode() == MAX_TIME_MS_EXPIRED && deadline.isSet()) {
                return new MongoOperationTimeoutException("Operation exceeded the timeout limit: " + e.getMessage(), e);
            }
            if (e instanceof MongoCommandException command
                    && e.getCode() == TRANSACTION_NUMBERS_NOT_SUPPORTED
                    && command.getErrorMessage().startsWith("Transaction numbers")) {
                return new MongoCommandException(
                        command.getCode(),
                        command.getErrorCodeName(),
                        "This MongoDB deployment does not support retryable writes. Please add retryWrites=false to"
                                + " your connection string.",
                        command.getResponse(),
                        command.getServerAddress());
            }
            return e;
        }

        private void avoid(@Nullable ServerAddress failedOn, boolean isOverload) {
            boolean applies = topology.description().type() == TopologyType.SHARDED
                    || (isOverload && settings.enableOverloadRetargeting());
            if (failedOn != null && applies) {
                avoided = new HashSet<>(avoided);
                avoided.add(failedOn);
            }
        }

        private void sleep(Duration pause, MongoException toRaise) {
            if (pause.isZero()) {
                return;
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                var interrupted = new MongoInterruptedException("Interrupted between two attempts", e);
                interrupted.addSuppressed(toRaise);
                throw interrupted;
            }
        }
    }

    private static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }
}
