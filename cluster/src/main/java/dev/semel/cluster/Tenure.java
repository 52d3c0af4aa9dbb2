package dev.semel.cluster;

import dev.semel.server.replica.Replication.Duties;
import dev.semel.server.replica.SetConfig;
import dev.semel.server.replica.StoredConfig;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.ObjectId;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Takes over as primary and gives that up, one after the other, off the engine's threads. */
final class Tenure implements AutoCloseable {
    /** For which it is tried: a command of the time before, which has been told to end, may still hold what it needs. */
    private static final long TAKE_OVER_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);

    /** How often the member that leads looks whether it should. */
    private static final long TEND_MS = 100;

    private final Leadership leadership;
    private final RaftReplicaSet set;
    private final RaftCommitLog log;
    private final Transactions transactions;
    private final Duties duties;
    private final RoleLog events;
    private final Consumer<Throwable> fatal;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("semel-role").daemon(true).factory());

    /** In which this member is the leader; 0 if it is not. */
    private volatile long writableTerm;

    /** The term that it is taking over, 0 for none, since when, and whether that has failed before: of the thread. */
    private long beginningTerm;

    private long begunNanos;
    private boolean hasFailed;

    Tenure(
            Leadership leadership,
            RaftReplicaSet set,
            RaftCommitLog log,
            Transactions transactions,
            Duties duties,
            RoleLog events,
            Consumer<Throwable> fatal,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.leadership = leadership;
        this.set = set;
        this.log = log;
        this.transactions = transactions;
        this.duties = duties;
        this.events = events;
        this.fatal = fatal;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** With the engine running. */
    void start() {
        var unused = thread.scheduleWithFixedDelay(this::tend, TEND_MS, TEND_MS, TimeUnit.MILLISECONDS);
        var unusedToo = thread.scheduleWithFixedDelay(this::release, TEND_MS, TEND_MS, TimeUnit.MILLISECONDS);
    }

    /** For what else has to be done off the engine's threads. */
    Executor executor() {
        return thread;
    }

    boolean isLeader() {
        return writableTerm != 0;
    }

    void begin(long term) {
        writableTerm = term;
        thread.execute(this::tend);
    }

    /** A take-over that is under way sees it when it has said that this member is writable. */
    void end() {
        writableTerm = 0;
    }

    void giveUp() {
        thread.execute(duties::giveUp);
    }

    /** In turns with what else this thread does, if there is much. */
    private void release() {
        try {
            if (log.release()) {
                thread.execute(this::release);
            }
        } catch (RejectedExecutionException e) {
            // The member is being closed; what is held is released after its next start.
        } catch (RuntimeException | Error e) {
            fatal.accept(e);
        }
    }

    private void tend() {
        try {
            tendTo(writableTerm);
        } catch (RuntimeException | Error e) {
            // A member that does not look any more would never take over.
            if (!thread.isShutdown()) {
                fatal.accept(e);
            }
        }
    }

    /** Takes over as soon as this member leads and may be primary; what fails is tried again the next time. */
    private void tendTo(long term) {
        leadership.thaw();
        set.reachSeen();
        if (term != 0 && log.isBehind()) {
            // A delayed member is never primary.
            leadership.tend();
            return;
        }
        if (term == 0 || !log.isWritable(term)) {
            return;
        }
        if (!set.isWritablePrimary() && leadership.mayBePrimary()) {
            takeOver(term);
        } else {
            beginningTerm = 0;
            leadership.tend();
        }
    }

    private void takeOver(long term) {
        if (beginningTerm != term) {
            beginningTerm = term;
            begunNanos = nanoTime.getAsLong();
            hasFailed = false;
        }
        try {
            transactions.removeChunks(term, Interruption.unlimited());
            duties.takeOver();
            storeConfig(term);
            set.writable(term);
            // The end of the term may have been told in between.
            if (writableTerm != term) {
                set.notWritable();
            } else {
                events.primary(term, (nanoTime.getAsLong() - begunNanos) / 1_000_000);
            }
        } catch (RuntimeException e) {
            if (log.isWritable(term)) {
                failed(term, e);
            }
        }
    }

    private void failed(long term, RuntimeException why) {
        if (!hasFailed) {
            hasFailed = true;
            events.notPrimaryYet(term, String.valueOf(why.getMessage()));
        }
        // A primary that cannot do its duties would keep the others from electing one that can.
        if (nanoTime.getAsLong() - begunNanos >= TAKE_OVER_NANOS_MAX) {
            fatal.accept(why);
        }
    }

    /** The first primary of the set writes down what its members were told at their start. */
    private void storeConfig(long term) {
        StoredConfig config = set.stored();
        SetConfig present = config.current();
        if (!config.isStored()) {
            config.store(present.with(present.version(), term).with(newId()), Interruption.unlimited());
        }
    }

    private ObjectId newId() {
        return new ObjectId((int) clock.instant().getEpochSecond(), new SecureRandom().nextLong());
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
