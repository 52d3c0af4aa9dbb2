package dev.semel.replication.ratis;

import dev.semel.replication.Entry;
import dev.semel.replication.GroupStopped;
import dev.semel.replication.Position;
import dev.semel.replication.ReplicatedState;
import dev.semel.replication.ReplicationOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/** What Ratis calls for one group. Everything that concerns the state goes on to the state's own thread. */
final class GroupMachine extends BaseStateMachine {
    /** What Ratis keeps of an entry that is not applied, beside its bytes: many small ones must count too. */
    private static final int ENTRY_OVERHEAD_BYTES = 512;

    /** What Ratis keeps in memory of an entry in the log, however long ago it was applied: its place in its file. */
    private static final int ENTRY_RECORD_BYTES = 160;

    private static final int ENTRY_RECORDS_HEAP_SHARE = 8;

    /** An index below which the log has nothing to cut. */
    private static final long NOTHING = 0;

    private final ReplicatedState state;
    private final Consumer<Throwable> fatal;
    private final StateThread thread;
    private final CommitNews news;
    private final Backlog backlog;
    private final Checkpoints checkpoints = new Checkpoints();
    private final Transfers transfers = new Transfers(checkpoints);
    private final CatchingUp catchingUp = new CatchingUp();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Bytes of entries since the last checkpoint. */
    private final AtomicLong logBytes = new AtomicLong();

    /** Counts how often leadership was lost: what is queued for a leader that is none any more must not be done. */
    private final AtomicLong lost = new AtomicLong();

    private volatile long writableTerm;

    private final Retention retention;

    /** Whether all that is older than the next checkpoint is cut from the log. */
    private volatile boolean cutsAll;

    /** Of a checkpoint of the leader, when it was looked at last. */
    private long arrivedBytes;

    GroupMachine(String name, ReplicatedState state, ReplicationOptions options, Consumer<Throwable> fatal) {
        this.state = state;
        this.fatal = fatal;
        retention = new Retention(
                options.keptLogBytes(),
                options.catchUpLogBytes(),
                Runtime.getRuntime().maxMemory() / ENTRY_RECORDS_HEAP_SHARE / ENTRY_RECORD_BYTES);
        news = new CommitNews("news-" + name);
        backlog = new Backlog(options.pendingBytesMax());
        thread = new StateThread(name, state, options.pendingBytesMax(), this::entryApplied, this::fail);
    }

    CommitNews news() {
        return news;
    }

    Checkpoints checkpoints() {
        return checkpoints;
    }

    Transfers transfers() {
        return transfers;
    }

    CatchingUp catchingUp() {
        return catchingUp;
    }

    long writableTerm() {
        return writableTerm;
    }

    long logBytes() {
        return logBytes.get();
    }

    Position applied() {
        var last = getLastAppliedTermIndex();
        return new Position(last.getTerm(), last.getIndex());
    }

    /** Not a failure from here on. */
    void closing() {
        ended.set(true);
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage) throws IOException {
        super.initialize(server, group, storage);
        checkpoints.init(storage);
        var checkpoint = checkpoints.getLatestSnapshot();
        if (checkpoint != null) {
            thread.callAndWait(() -> loadIfNewer(checkpoint));
        } else if (state.applied().equals(Position.BASE)) {
            thread.callAndWait(this::saveBase);
        }
        getLifeCycle().startAndTransition(() -> {}, IOException.class);
    }

    // ---- proposals

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        return TransactionContext.newBuilder()
                .setStateMachine(this)
                .setClientRequest(request)
                .setStateMachineContext(request.getMessage())
                .build();
    }

    /** In the order of the log, and under the lock under which the term changes. */
    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) throws IOException {
        var proposal = (Proposal) transaction.getStateMachineContext();
        long term = term();
        if (term != proposal.expectedTerm()) {
            throw new StateMachineException("The term is " + term + ", not " + proposal.expectedTerm(), null, false);
        }
        proposal.appended();
        return transaction;
    }

    // ---- the log

    /** Once for each entry that another member has proposed, when it is in the log. */
    @Override
    public TransactionContext startTransaction(LogEntryProto entry, RaftPeerRole role) {
        backlog.appended(
                entry.getIndex(),
                ENTRY_OVERHEAD_BYTES
                        + entry.getStateMachineLogEntry().getLogData().size());
        return super.startTransaction(entry, role);
    }

    /** Waits while there are too many entries that are committed and not applied; false if there still are after that time. */
    boolean awaitRoom(long nanosMax) throws InterruptedException {
        return backlog.awaitRoom(() -> division().getRaftLog().getLastCommittedIndex(), nanosMax);
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        var position = new Position(entry.getTerm(), entry.getIndex());
        // Copied: Ratis may use the buffer for another message.
        var bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        var applied = thread.apply(new Entry(position, bytes));
        if (applied.isCompletedExceptionally()) {
            // Ratis goes on after a future that failed; after an exception it closes the group.
            throw new IllegalStateException("The state of the group has failed", applied.exceptionNow());
        }
        return applied.thenApply(done -> Message.EMPTY);
    }

    private void entryApplied(Entry entry) {
        updateLastAppliedTermIndex(entry.position().term(), entry.position().index());
        logBytes.addAndGet(entry.bytes().length);
        backlog.applied(entry.position().index());
        news.committed();
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        thread.call(() -> updateLastAppliedTermIndex(term, index));
    }

    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto configuration) {
        if (configuration.getOldPeersCount() == 0 && configuration.getPeersCount() > 0) {
            var membership = Peers.membership(configuration);
            thread.call(() -> state.membersChanged(membership));
        }
    }

    // ---- leadership

    @Override
    public void notifyLeaderReady() {
        long before = lost.get();
        long term = term();
        thread.call(() -> {
            if (lost.get() == before) {
                writableTerm = term;
                if (lost.get() != before) {
                    writableTerm = 0;
                    return;
                }
                state.writable(term);
            }
        });
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        lost.incrementAndGet();
        boolean was = writableTerm != 0;
        writableTerm = 0;
        if (was) {
            thread.call(() -> state.notWritable("This member is not the leader any more"));
        }
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId self, @Nullable RaftPeerId leader) {
        long term = term();
        thread.call(() -> state.leaderChanged(leader == null ? null : leader.toString(), term));
    }

    private long term() {
        return division().getInfo().getCurrentTerm();
    }

    private RaftServer.Division division() {
        try {
            return getServer().join().getDivision(getGroupId());
        } catch (IOException e) {
            throw new UncheckedIOException("Ratis calls a group that it does not have", e);
        }
    }

    // ---- checkpoints

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return checkpoints;
    }

    /** What the next checkpoint makes superfluous. */
    void cutAll(boolean changed) {
        cutsAll = changed;
    }

    /** Returns the index of the last entry that the log need not have any more. */
    @Override
    public long takeSnapshot() throws IOException {
        var position = new long[] {NOTHING};
        thread.callAndWait(() -> position[0] = save());
        return position[0];
    }

    /** The log begins behind it. */
    private void saveBase() throws IOException {
        TermIndex base = TermIndex.valueOf(Position.BASE.term(), Position.BASE.index());
        checkpoints.save(base, state::saveCheckpoint);
        setLastAppliedTermIndex(base);
    }

    /** At the state's own position: entries that it has seen and not applied yet must come again after a restart. */
    private long save() throws IOException {
        var latest = checkpoints.getLatestSnapshot();
        var applied = state.applied();
        long before = latest == null ? NOTHING : latest.getIndex();
        if (applied.index() <= before) {
            return Math.max(NOTHING, before);
        }
        checkpoints.save(TermIndex.valueOf(applied.term(), applied.index()), state::saveCheckpoint);
        long cut = retention.saved(before, logBytes.getAndSet(0), applied.index(), catchingUp.neededAbove());
        if (cutsAll) {
            retention.forget();
            cut = applied.index();
        }
        catchingUp.keptAbove(cut, before);
        return Math.max(NOTHING, cut);
    }

    @Override
    public void pause() {
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            return;
        }
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** The leader's checkpoint has arrived. */
    @Override
    public void reinitialize() throws IOException {
        getLifeCycle()
                .startAndTransition(
                        () -> thread.callAndWait(() -> loadIfNewer(checkpoints.installed())), IOException.class);
    }

    private void loadIfNewer(Checkpoints.Checkpoint checkpoint) throws IOException {
        if (checkpoint.getIndex() > state.applied().index()) {
            if (state.loadCheckpoint(checkpoint.folder())) {
                thread.stateReplaced();
            } else {
                thread.detach();
            }
        }
        setLastAppliedTermIndex(checkpoint.getTermIndex());
        backlog.applied(checkpoint.getIndex());
        logBytes.set(0);
        retention.forget();
    }

    /** From time to time, by one thread. Ratis itself says nothing before all of it is here. */
    void reportArriving() {
        long bytes = checkpoints.arrivedBytes();
        if (bytes > arrivedBytes) {
            thread.call(() -> state.checkpointArriving(bytes));
        }
        arrivedBytes = bytes;
    }

    // ---- the end

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        fail(cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean allServer) {
        fail(new GroupStopped());
    }

    /** Ratis closes a group without a word if one of its own threads fails, as when the heap is full. */
    void foundClosed() {
        fail(new IllegalStateException("Ratis has closed the group, because one of its threads has failed"));
    }

    private void fail(Throwable cause) {
        notifyNotLeader(List.of());
        if (ended.compareAndSet(false, true)) {
            fatal.accept(cause);
        }
    }

    @Override
    public void close() {
        thread.close();
    }
}
