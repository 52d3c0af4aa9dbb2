package dev.semel.replication.ratis;

import dev.semel.replication.Entry;
import dev.semel.replication.ReplicatedState;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Does everything that concerns the state of one group, in order. The first exception ends it. */
final class StateThread {
    private static final int BATCH_ENTRIES_MAX = 512;

    private sealed interface Work {
        record Apply(Entry entry, CompletableFuture<Void> applied) implements Work {}

        record Call(Action action, CompletableFuture<Void> done) implements Work {}
    }

    interface Action {
        void run() throws IOException;
    }

    private final ReplicatedState state;
    private final Consumer<Entry> afterApply;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;

    /** Of entries that wait; then Ratis waits. */
    private final long queueBytesMax;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by the lock
    private final ArrayDeque<Work> queue = new ArrayDeque<>();
    private long queuedBytes;
    private boolean closed;
    private @Nullable Throwable failure;

    // of the thread
    private long appliedIndex;
    private boolean detached;

    StateThread(
            String name,
            ReplicatedState state,
            long queueBytesMax,
            Consumer<Entry> afterApply,
            Consumer<Throwable> onFailure) {
        this.state = state;
        this.queueBytesMax = queueBytesMax;
        this.afterApply = afterApply;
        this.onFailure = onFailure;
        appliedIndex = state.applied().index();
        thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
        thread.start();
    }

    /** Waits while too much is queued. */
    CompletableFuture<Void> apply(Entry entry) {
        var applied = new CompletableFuture<Void>();
        lock.lock();
        try {
            while (queuedBytes > queueBytesMax && isRunning()) {
                changed.awaitUninterruptibly();
            }
            enqueue(new Work.Apply(entry, applied), applied);
            queuedBytes += entry.bytes().length;
        } finally {
            lock.unlock();
        }
        return applied;
    }

    /** Does not wait. */
    void call(Action action) {
        call(action, new CompletableFuture<>());
    }

    private void call(Action action, CompletableFuture<Void> done) {
        lock.lock();
        try {
            enqueue(new Work.Call(action, done), done);
        } finally {
            lock.unlock();
        }
    }

    void callAndWait(Action action) throws IOException {
        var done = new CompletableFuture<Void>();
        call(action, done);
        try {
            done.get();
        } catch (ExecutionException e) {
            throw new IOException("The state of the group has failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for the state of the group", e);
        }
    }

    /** Finishes what is queued. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            if (Thread.currentThread() != thread) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isRunning() {
        return !closed && failure == null;
    }

    private void enqueue(Work work, CompletableFuture<Void> done) {
        if (isRunning()) {
            queue.add(work);
            changed.signalAll();
        } else {
            done.completeExceptionally(
                    failure != null ? failure : new IllegalStateException("The group has been closed"));
        }
    }

    private void run() {
        try {
            for (List<Work> batch = take(); !batch.isEmpty(); batch = take()) {
                perform(batch);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** One call, or the entries up to the next call; nothing at the end. */
    private List<Work> take() {
        var batch = new ArrayList<Work>();
        lock.lock();
        try {
            while (queue.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            while (batch.size() < BATCH_ENTRIES_MAX && queue.peek() instanceof Work.Apply apply) {
                batch.add(apply);
                queuedBytes -= apply.entry().bytes().length;
                queue.remove();
            }
            if (batch.isEmpty() && queue.poll() instanceof Work.Call call) {
                batch.add(call);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        return batch;
    }

    private void perform(List<Work> batch) throws IOException {
        try {
            if (batch.getFirst() instanceof Work.Call call) {
                call(call);
            } else if (!detached) {
                applyNew(batch);
            }
        } catch (Throwable e) {
            batch.forEach(work -> doneOf(work).completeExceptionally(e));
            throw e;
        }
        batch.forEach(work -> doneOf(work).complete(null));
    }

    private void call(Work.Call call) throws IOException {
        if (!detached) {
            call.action().run();
        }
    }

    private void applyNew(List<Work> batch) {
        var entries = new ArrayList<Entry>();
        for (Work work : batch) {
            var entry = ((Work.Apply) work).entry();
            if (entry.position().index() > appliedIndex && entry.bytes().length > 0) {
                entries.add(entry);
            }
        }
        if (!entries.isEmpty()) {
            state.apply(List.copyOf(entries));
            appliedIndex = entries.getLast().position().index();
        }
        batch.forEach(work -> afterApply.accept(((Work.Apply) work).entry()));
    }

    /** Of the thread: what is queued from here on begins above the state's new position. */
    void stateReplaced() {
        appliedIndex = state.applied().index();
    }

    /** Of the thread: the state is about to be replaced, and nothing reaches it any more. */
    void detach() {
        detached = true;
    }

    private static CompletableFuture<Void> doneOf(Work work) {
        return switch (work) {
            case Work.Apply apply -> apply.applied();
            case Work.Call call -> call.done();
        };
    }

    private void fail(Throwable cause) {
        List<Work> rest;
        lock.lock();
        try {
            failure = cause;
            rest = List.copyOf(queue);
            queue.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onFailure.accept(cause);
        rest.forEach(work -> doneOf(work).completeExceptionally(cause));
    }
}
