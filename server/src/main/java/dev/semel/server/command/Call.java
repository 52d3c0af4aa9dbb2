package dev.semel.server.command;

import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.UserDigest;
import dev.semel.server.failpoint.FailPoint.MaxTimeAlwaysTimeOut;
import dev.semel.server.failpoint.FailPoint.MaxTimeNeverTimeOut;
import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.failpoint.Fault;
import dev.semel.server.memory.ServerMemory;
import dev.semel.server.once.TokenUse;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.OpenTransaction;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionId;
import dev.semel.server.status.Counters;
import dev.semel.store.Commit;
import dev.semel.store.Snapshot;
import dev.semel.store.Transaction;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.LargeValues;
import dev.semel.wire.thread.SharedThread;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One command while it runs: who sent it, in which session, until when it may take, and what it has seen. The command's
 * own thread works with it; others look at it ({@code currentOp}) and may {@link #kill} it.
 */
public final class Call {
    private final long operationId;
    private final Client client;
    private final Spec spec;
    private final Arguments arguments;
    private final Envelope envelope;
    private volatile @Nullable Session session;
    private List<Privilege> demanded = List.of();
    private final Counters counters;
    private final FailPoints failPoints;
    private final boolean mayStream;
    private final LongSupplier nanoTime;
    private final long startedNanos;
    private @Nullable Instant now;
    private volatile Interruption interruption;
    private volatile @Nullable CommandException killed;
    private volatile @Nullable Namespace namespace;
    private volatile Supplier<String> planSummary = () -> "";
    private volatile @Nullable OpenTransaction transaction;
    private volatile boolean hasNumber = true;
    private volatile boolean isWriting;
    private @Nullable Fault fault;
    private boolean isConnectionCut;
    private volatile long rootTxnId;
    private long newestSeen;
    private boolean hasWritten;

    /** The last one that may not have been applied. */
    private @Nullable Commit committing;

    private final ReplyMemory replyMemory;
    private final PartMemory partMemory;
    private final LargeValues largeValues;
    private boolean hasBegun;
    private boolean hasBegunOnPrimary;
    private final List<Counted> counted = new ArrayList<>(2);
    private long keysExamined;
    private long documentsExamined;

    Call(
            long operationId,
            Client client,
            Spec spec,
            Arguments arguments,
            Envelope envelope,
            Counters counters,
            FailPoints failPoints,
            boolean mayStream,
            ServerMemory memory,
            LongSupplier nanoTime) {
        this.operationId = operationId;
        this.client = client;
        this.spec = spec;
        this.arguments = arguments;
        this.envelope = envelope;
        this.counters = counters;
        this.failPoints = failPoints;
        this.mayStream = mayStream;
        this.nanoTime = nanoTime;
        this.startedNanos = client.beginning(nanoTime);
        this.replyMemory = new ReplyMemory(this, memory.replies(), memory.queries());
        this.partMemory = new PartMemory(this, memory.queries());
        this.largeValues = memory.largeValues();
        this.interruption = envelope.maxTimeMs() == 0 || spec.is(Spec.Trait.OWN_MAX_TIME)
                ? Interruption.unlimited()
                : interruptionAfter(TimeUnit.MILLISECONDS.toNanos(envelope.maxTimeMs()));
    }

    /** What its reply takes. */
    public ReplyMemory replyMemory() {
        return replyMemory;
    }

    /** What its conditions and changes take. */
    public PartMemory partMemory() {
        return partMemory;
    }

    /** Before something is made that takes as much as large values do. By its own thread. */
    public void holdLargeValue(int bytes) {
        largeValues.hold(bytes);
    }

    /** It is about to wait for what others do, and works on no document. By its own thread. */
    public void releaseLargeValues() {
        largeValues.release();
    }

    // ---- the client

    /** The number by which {@code currentOp} shows it and {@code killOp} stops it. */
    public long operationId() {
        return operationId;
    }

    public Client client() {
        return client;
    }

    public Spec spec() {
        return spec;
    }

    public String database() {
        return arguments.database();
    }

    /** The command as it was sent. */
    public RawDocument command() {
        return arguments.document();
    }

    /** The same for others to see: without what is confidential. */
    public RawDocument shown() {
        return spec.is(Spec.Trait.CONFIDENTIAL) ? Confidential.without(command()) : command();
    }

    Arguments arguments() {
        return arguments;
    }

    /** Distinguishes what it leaves behind from that of other users; null without a user. */
    public @Nullable UserDigest owner() {
        return client.owner();
    }

    void demanded(List<Privilege> rights) {
        demanded = rights;
    }

    /** The privileges it needed; empty without access control. */
    public List<Privilege> demanded() {
        return demanded;
    }

    /** The logical session, if the client named one. */
    public @Nullable Session session() {
        return session;
    }

    /** The session that the client has named; the command's own once it is admitted. */
    public @Nullable SessionId lsid() {
        return envelope.session().lsid();
    }

    /** The number of a retryable write or a transaction in its session; -1 without one. */
    public long txnNumber() {
        return hasNumber ? envelope.session().txnNumber() : SessionFields.NO_TXN_NUMBER;
    }

    /** What it says of a number and a transaction of MongoDB's dialect is its driver's mistake. */
    void forgetNumber() {
        hasNumber = false;
    }

    /** The session that it uses, or has checked out, if that is another one by now. */
    void session(Session checkedOut) {
        session = checkedOut;
    }

    /** Whether it may be sent again and must not happen twice: it has a number and is in no transaction. */
    public boolean isRetryableWrite() {
        return txnNumber() >= 0 && !isInSessionTransaction() && transaction == null;
    }

    /** Refuses statement ids that do not belong to as many statements. */
    public void checkStatements(int count) {
        envelope.session().checkStatements(count);
    }

    /** By which a retry finds what became of the command's statement with this index. */
    public int stmtId(int index) {
        return envelope.session().stmtId(index);
    }

    /** Whether it belongs to a transaction in MongoDB's dialect, or ends one. */
    public boolean isInSessionTransaction() {
        return hasNumber && envelope.session().inTransaction();
    }

    boolean startsTransaction() {
        return envelope.session().startsTransaction();
    }

    /** The transaction it works in, which is not its own to end; null for a command by itself. */
    public @Nullable OpenTransaction transaction() {
        return transaction;
    }

    /** Under which a transaction of TokuMX's dialect is found: the session's, if the command names one. */
    public ConnectionTransactions.Key transactionKey() {
        return session == null
                ? new ConnectionTransactions.Key.OfConnection(client.connectionId())
                : new ConnectionTransactions.Key.OfSession(session.id());
    }

    void enter(OpenTransaction entered) {
        transaction = entered;
        rootTxnId = entered.transaction().id();
    }

    /** The number by which lock owners are known of the transaction it works in, lasting or its own; 0 for none. */
    public long rootTxnId() {
        return rootTxnId;
    }

    /** It works in its own transaction. */
    public void runsIn(Transaction own) {
        rootTxnId = own.id();
    }

    /** The newest cluster time that the client has heard of; 0 if it did not say. */
    long gossip() {
        return envelope.clusterTime();
    }

    public @Nullable Value comment() {
        return envelope.comment();
    }

    /** By which the write is applied once, whatever its session and number; null without one. */
    public @Nullable TokenUse once() {
        return envelope.once();
    }

    /** The command turns out to change something in a way that a token cannot make happen once. */
    public void refuseOnce() {
        OnceComment.refuse(envelope.comment(), spec);
    }

    public ApiParameters api() {
        return envelope.api();
    }

    /** Whether the client takes several replies for this one request. */
    public boolean mayStream() {
        return mayStream;
    }

    // ---- how long

    /** To be checked at intervals of some keys, and by every wait. */
    public Interruption interruption() {
        return interruption;
    }

    /** The client's {@code maxTimeMS}; 0 if it gave none. */
    public long maxTimeMs() {
        return envelope.maxTimeMs();
    }

    /** A time limit that the command found out by itself, such as what a cursor has left of its {@code maxTimeMS}. */
    public void limitTo(long nanos) {
        Interruption limited = interruptionAfter(nanos);
        interruption = limited;
        CommandException why = killed;
        if (why != null) {
            limited.kill(why);
        }
    }

    /** The operation ends with this as soon as it looks. From any thread. */
    public void kill(CommandException why) {
        killed = why;
        interruption.kill(why);
    }

    /**
     * Whether it goes on when its client has disconnected. A write does: its client means it to happen, and cannot tell whether
     * the reply was lost. One in a transaction that ends with the connection would be undone anyway, and holds locks.
     */
    public boolean outlivesClient() {
        OpenTransaction inside = transaction;
        return (spec.is(Spec.Trait.WRITES) || isWriting) && (inside == null || !inside.endsWith(client.connectionId()));
    }

    /** It is about to write, although its like only reads. */
    public void startsWriting() {
        isWriting = true;
    }

    public boolean isKilled() {
        return killed != null;
    }

    public long elapsedNanos() {
        return nanoTime.getAsLong() - startedNanos;
    }

    /** {@code $$NOW}: whatever the command is made of sees the same. By its own thread. */
    public Instant now(InstantSource clock) {
        Instant known = now;
        if (known == null) {
            known = clock.instant();
            now = known;
        }
        return known;
    }

    private Interruption interruptionAfter(long nanos) {
        if (failPoints.hit(MaxTimeNeverTimeOut.NAME, MaxTimeNeverTimeOut.class) != null) {
            return Interruption.unlimited();
        }
        boolean isOver = failPoints.hit(MaxTimeAlwaysTimeOut.NAME, MaxTimeAlwaysTimeOut.class) != null;
        return Interruption.at(nanoTime, startedNanos + (isOver ? 0 : nanos));
    }

    // ---- what is made to go wrong

    public FailPoints failPoints() {
        return failPoints;
    }

    void strickenBy(Fault chosen) {
        fault = chosen;
    }

    /** What {@code failCommand} has in store for it; null for nothing. */
    @Nullable
    Fault fault() {
        return fault;
    }

    /** Whatever becomes of the command, its client gets no reply and loses the connection. */
    public void cutConnection() {
        isConnectionCut = true;
    }

    boolean isConnectionCut() {
        return isConnectionCut;
    }

    // ---- what it may see and what must be safe before it is answered

    public ReadConcern readConcern() {
        return envelope.readConcern();
    }

    public WriteConcern writeConcern() {
        return envelope.writeConcern();
    }

    /**
     * The command reads, or has read, the state of this cluster time ({@link Snapshot#clusterTime}). A command that reads
     * without reporting it could show the client what a power loss may still undo.
     */
    public void saw(long clusterTime) {
        if (Long.compareUnsigned(clusterTime, newestSeen) > 0) {
            newestSeen = clusterTime;
        }
    }

    public void saw(Snapshot snapshot) {
        saw(snapshot.clusterTime());
    }

    /**
     * The command has written this. Returns when it is applied, on a thread that serves many perhaps before: then the command
     * still {@link #isCommitting}. The reply waits until it is as safe as the client asks.
     */
    public void committed(Commit commit) {
        hasWritten = true;
        committing = commit;
        if (!SharedThread.isCurrent() || commit.isApplied()) {
            awaitCommit();
        }
    }

    /** Whether it has written what others do not see yet: what it holds against them it must go on holding. */
    boolean isCommitting() {
        return committing != null;
    }

    /** Commits are applied in order, so the last one does for all. */
    void awaitCommit() {
        Commit last = committing;
        if (last != null) {
            committing = null;
            last.awaitApplied();
            saw(last.clusterTime());
        }
    }

    /** Whether its reply is one to a write, whatever the write has come to; an aggregation is only with some last stages. */
    public boolean isWrite() {
        return hasWritten || spec.is(Spec.Trait.WRITES);
    }

    /** From now on the command may have done something, whatever its reply says; as a primary, something that others get. */
    void begin(boolean isPrimary) {
        hasBegun = true;
        hasBegunOnPrimary = isPrimary;
    }

    boolean hasBegunOnPrimary() {
        return hasBegunOnPrimary;
    }

    boolean hasBegun() {
        return hasBegun;
    }

    /** Whether it may read where others write. */
    boolean mayReadSecondary() {
        return envelope.mayReadSecondary();
    }

    boolean hasWritten() {
        return hasWritten;
    }

    /** 0 if the command has looked at no data. */
    long newestSeen() {
        return newestSeen;
    }

    // ---- its description in currentOp and the log

    /** One more of these, unless the call is given up and begun again. */
    public void count(LongAdder what) {
        count(what, 1);
    }

    public void count(LongAdder what, long by) {
        if (by != 0) {
            what.add(by);
            counted.add(new Counted(what, by));
        }
    }

    private record Counted(LongAdder what, long by) {}

    /** It will be begun again, as another call. */
    void giveUp() {
        counted.forEach(each -> each.what.add(-each.by));
        counters.keysExamined.add(-keysExamined);
        counters.documentsExamined.add(-documentsExamined);
        partMemory.release();
        replyMemory.held().close();
        client.gaveUp(startedNanos);
    }

    public Counters counters() {
        return counters;
    }

    /** What {@code currentOp} and the log of slow operations say it works on. */
    public void worksOn(Namespace namespace) {
        this.namespace = namespace;
    }

    public @Nullable Namespace namespace() {
        return namespace;
    }

    /** It has looked at so many more keys of indexes and documents. */
    public void examined(long keys, long documents) {
        keysExamined += keys;
        documentsExamined += documents;
        counters.keysExamined.add(keys);
        counters.documentsExamined.add(documents);
    }

    long keysExamined() {
        return keysExamined;
    }

    long documentsExamined() {
        return documentsExamined;
    }

    /** A short summary of its plan, such as {@code IXSCAN { a: 1 }}, for the log of slow operations. */
    public void planned(Supplier<String> summary) {
        planSummary = summary;
    }

    public String planSummary() {
        return planSummary.get();
    }
}
