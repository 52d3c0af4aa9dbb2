package dev.semel.driver.execution;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.description.TopologyType;
import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.error.MongoWaitQueueTimeoutException;
import dev.semel.driver.event.RetryEvent.Decision;
import dev.semel.driver.event.TransactionId;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.Server;
import dev.semel.driver.topology.ServerBinding;
import dev.semel.driver.topology.ServerSelection;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One operation with all its attempts: each selects a server, checks a connection out, sends the command and reads the answer,
 * and {@link RetryPolicy} says whether another one follows.
 */
final class Attempts<R> {
    private static final ServerSelection.Criterion WRITABLE = new ServerSelection.Criterion.Writable();
    private static final ServerSelection.Criterion READ_PRIMARY =
            new ServerSelection.Criterion.ByPreference(ReadPreference.primary());

    private final Operation<R> operation;
    private final Session session;
    private final Deadline deadline;
    private final long operationId;
    private final ExecutionContext context;
    private final boolean inTransaction;
    private final boolean beginsTransaction;
    private final boolean isAcknowledged;
    private Set<ServerAddress> avoided = Set.of();
    private long txnNumber = -1;
    private @Nullable History history;

    // Of the attempt under way.
    private long startNanos;
    private @Nullable Server selected;
    private @Nullable ServerBinding place;
    private @Nullable Connection connection;
    private boolean wasSent;

    Attempts(Operation<R> operation, Session session, Deadline deadline, long operationId, ExecutionContext context) {
        this.operation = operation;
        this.session = session;
        this.deadline = session.deadlineOr(deadline);
        this.operationId = operationId;
        this.context = context;
        inTransaction = session.inTransaction();
        beginsTransaction =
                session.transactionState() == Session.TransactionState.STARTING && !operation.endsTransaction();
        WriteConcern concern = operation.writeConcern();
        isAcknowledged =
                concern == null || concern.isAcknowledged() || inTransaction || !operation.mayBeUnacknowledged();
        if (!isAcknowledged && !session.isImplicit()) {
            // Its reply, which the session would have to learn its time from, is never read.
            throw new MongoClientException("Unacknowledged writes are not supported when using an explicit session");
        }
        if (!inTransaction && !operation.endsTransaction() && !session.isImplicit()) {
            session.transitionTo(Session.TransactionState.NONE);
            session.unpin();
        }
    }

    R result() {
        while (true) {
            try {
                startNanos = context.settings().time().nanos();
                R result = attempt();
                if (history != null) {
                    history.rescued(ended(place == null ? null : place.address()));
                }
                return result;
            } catch (MongoException e) {
                ServerAddress failedOn = place == null ? null : place.address();
                release();
                MongoException last = handled(e, failedOn);
                if (last != null) {
                    throw last;
                }
            } catch (RuntimeException e) {
                // What cannot even be said again must not hide that it was said once.
                if (history != null && !wasSent) {
                    history.raised().addSuppressed(e);
                    throw history.givenUp();
                }
                throw e;
            } finally {
                release();
            }
        }
    }

    private void release() {
        Server counted = selected;
        ServerBinding from = place;
        Connection used = connection;
        selected = null;
        place = null;
        connection = null;
        if (from != null && used != null) {
            from.checkIn(used);
        }
        if (counted != null) {
            counted.released();
        }
    }

    private R attempt() {
        wasSent = false;
        Deadline untilConnected = context.topology().selectionDeadline(deadline);
        ServerBinding to = destination();
        place = to;
        Connection open = to.checkOut(untilConnected);
        connection = open;
        to = to.by(open);
        place = to;
        ConnectionDescription description = open.description();
        boolean supportsSessions = description.supportsSessions();
        if (!supportsSessions && !session.isImplicit()) {
            throw new MongoClientException("Sessions are not supported by the server at " + open.address());
        }
        operation.prepare(description);
        chooseTxnNumber(description);
        var command = new OutgoingCommand(
                operation,
                description,
                context.topology().description().type(),
                session,
                supportsSessions && (isAcknowledged || !session.isImplicit()),
                beginsTransaction,
                inTransaction,
                txnNumber,
                timeLeftMs(to),
                context.clock(),
                context.settings().serverApi());
        var exchange = new Exchange<>(operation, operationId, session, deadline, context, open, to);
        int requestId = exchange.encode(command, isAcknowledged);
        if (beginsTransaction) {
            session.transitionTo(Session.TransactionState.IN_PROGRESS);
            if (context.topology().description().type().isBehindRouters()) {
                session.pin(to);
            }
        }
        wasSent = true;
        return exchange.result(requestId, isAcknowledged);
    }

    private ServerBinding destination() {
        ServerBinding ofCursor = operation.server();
        if (ofCursor != null) {
            return ofCursor;
        }
        // Refuses a wrong read preference even where the place is known already.
        ServerSelection.Criterion criterion = criterion();
        ServerBinding ofTransaction = session.pinnedConnection();
        if (ofTransaction != null) {
            return ofTransaction;
        }
        ServerAddress router = session.router();
        Server found = context.topology()
                .select(
                        router == null ? criterion : new ServerSelection.Criterion.ByAddress(router),
                        avoided,
                        deadline,
                        operation.commandName(),
                        operationId);
        selected = found;
        return found;
    }

    private ServerSelection.Criterion criterion() {
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
        return preference.isPrimary() ? READ_PRIMARY : new ServerSelection.Criterion.ByPreference(preference);
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
                && context.settings().retryWrites()
                && isAcknowledged
                && description.supportsRetryableWrites();
        if (isEligible && txnNumber < 0) {
            txnNumber = session.serverSession().nextTxnNumber();
        }
        if (!isEligible && txnNumber >= 0 && history != null) {
            // This server would not recognise the retry and might do it twice.
            throw history.raised();
        }
    }

    private long timeLeftMs(ServerBinding to) {
        if (!deadline.isSet()) {
            return -1;
        }
        long ms = deadline.remainingMs() - to.description().minRoundTripTime().toMillis();
        if (ms <= 0) {
            throw new MongoOperationTimeoutException("There is no time left for a round trip to " + to.address());
        }
        return ms;
    }

    /** The exception to raise, or null for another attempt. */
    private @Nullable MongoException handled(MongoException failure, @Nullable ServerAddress failedOn) {
        MongoException e = UserView.of(failure, deadline, inTransaction || operation.endsTransaction());
        History past = history;
        if (past == null) {
            past = new History(operation, operationId, context);
            history = past;
        } else if (past.raised() == e) {
            return past.givenUp();
        }
        int made = past.made() + 1;
        operation.attemptFailed(e);
        boolean isOverload = e.isRetryableOverload();
        if (beginsTransaction && isOverload) {
            session.transitionTo(Session.TransactionState.STARTING);
        }
        context.policy().label(operation, e, inTransaction, txnNumber >= 0 || !wasSent);
        TransactionLabels.add(operation, e, inTransaction);
        if (TransactionLabels.release(operation, e)) {
            session.unpin();
        }
        past.failed(e, wasSent);
        Decision decision = decide(e, past, made);
        Duration pause = switch (decision) {
            case RETRIED_AFTER_OVERLOAD -> context.policy().backOff(e, made);
            case RETRIED -> context.policy().pause(made);
            default -> Duration.ZERO;
        };
        if (decision.isRetry() && deadline.isSet() && deadline.remainingNanos() <= pause.toNanos()) {
            decision = Decision.NO_TIME_LEFT;
        }
        past.add(ended(failedOn), e, decision);
        boolean isTimeUp = decision == Decision.NO_TIME_LEFT && (deadline.hasPassed() || !isOverload);
        if (isTimeUp || e instanceof MongoOperationTimeoutException) {
            return past.givenUp(UserView::timeout);
        }
        if (!decision.isRetry()) {
            return past.givenUp();
        }
        if (RetryPolicy.tellsOfServer(e)) {
            avoid(failedOn, isOverload);
        }
        Pause.between("attempts", pause, context.settings().time().sleeper(), past::givenUp);
        return null;
    }

    private History.Ended ended(@Nullable ServerAddress on) {
        TransactionId id = txnNumber < 0
                ? null
                : new TransactionId(session.serverSession().id().asUuid(), txnNumber);
        return new History.Ended(on, id, context.settings().time().since(startNanos));
    }

    private Decision decide(MongoException e, History past, int made) {
        if (e instanceof MongoTimeoutException && !wasSent && !(e instanceof MongoWaitQueueTimeoutException)) {
            return Decision.NO_SERVER;
        }
        if (!isAcknowledged) {
            return Decision.NOT_A_RETRYABLE_OPERATION;
        }
        return context.policy()
                .decide(
                        operation,
                        e,
                        new RetryPolicy.Attempts(made, past.anyOverload(), deadline.isGiven(), inTransaction));
    }

    private void avoid(@Nullable ServerAddress failedOn, boolean isOverload) {
        boolean applies = context.topology().description().type() == TopologyType.SHARDED
                || (isOverload && context.settings().enableOverloadRetargeting());
        if (failedOn != null && applies) {
            avoided = new HashSet<>(avoided);
            avoided.add(failedOn);
        }
    }
}
