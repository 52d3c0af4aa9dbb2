package dev.semel.server.net;

import dev.semel.server.command.Dispatcher;
import dev.semel.wire.thread.SharedThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves many connections in turn on one thread, as long as their commands are short and wait for nothing: no thread has to be
 * woken for a request, nor be put aside after it. Whatever a command does, the others wait for it only until {@link EventLoops}
 * has {@link #relieve relieved} the thread.
 */
final class EventLoop {
    private final String name;
    private final Dispatcher dispatcher;
    private final Thread.UncaughtExceptionHandler deaths;
    private final Runnable begun;
    private final LongSupplier nanoTime;
    private final Selector selector;

    /** What other threads ask for: no more than each connection's coming and end, and a few moves. */
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();

    /** Those whose requests have come, each once. By the shift's thread. */
    private final Queue<SelectionKey> ready = new ArrayDeque<>();

    /** Those whose commits are to be applied together, {@link Shift#COMMITS_MAX} at most. By the shift's thread. */
    private final Queue<Connection> committing = new ArrayDeque<>();

    /** Those whose answers have to wait until what they have seen is durable, each once. By the shift's thread. */
    private final Queue<Waiting> waiting =
            new PriorityQueue<>((one, other) -> Long.compareUnsigned(one.durableTime, other.durableTime));

    /** Whose commands wait for what others prepare. By the shift's thread. */
    private final Set<Connection> preparing = new HashSet<>();

    /** Those of them for whom that is done, each once. */
    private final Queue<Connection> prepared = new ConcurrentLinkedQueue<>();

    /** Whether a call is under way that tells when the first of these can go on. */
    private volatile boolean isAsked;

    /** For which it has been told the last time: if it is not durable, it never will be. */
    private volatile long told;

    private volatile Shift shift = new Shift();
    private volatile @Nullable Thread thread;
    private volatile boolean isWaiting = true;
    private volatile boolean isClosed;

    private record Waiting(long durableTime, Connection connection) {}

    /** @param begun called whenever there is something to do after a wait */
    EventLoop(
            String name,
            Dispatcher dispatcher,
            Thread.UncaughtExceptionHandler deaths,
            Runnable begun,
            LongSupplier nanoTime)
            throws IOException {
        this.name = name;
        this.dispatcher = dispatcher;
        this.deaths = deaths;
        this.begun = begun;
        this.nanoTime = nanoTime;
        this.selector = Selector.open();
    }

    void start() {
        SharedThread next = new SharedThread(name, shift);
        next.setUncaughtExceptionHandler(deaths);
        thread = next;
        next.start();
    }

    /** On the loop's thread, soon. */
    void execute(Runnable errand) {
        errands.add(errand);
        wake();
    }

    private void wake() {
        if (selector.isOpen()) {
            selector.wakeup();
        }
    }

    /** By the connection, when it joins. */
    SelectionKey register(SocketChannel channel, Connection connection) throws IOException {
        try {
            return channel.register(selector, SelectionKey.OP_READ, connection);
        } catch (CancelledKeyException e) {
            // It was here before, and its key of that time goes with the next look.
            selector.selectNow();
            return channel.register(selector, SelectionKey.OP_READ, connection);
        }
    }

    /** Lets another loop serve every second connection, or all of them. */
    void give(EventLoop other, boolean all) {
        execute(() -> {
            List<SelectionKey> keys = new ArrayList<>(selector.keys());
            for (int i = all ? 0 : 1; i < keys.size(); i += all ? 1 : 2) {
                ((Connection) keys.get(i).attachment()).give(keys.get(i), other);
            }
        });
    }

    void close() {
        isClosed = true;
        selector.wakeup();
    }

    /** That serves it now; null before the start. */
    @Nullable
    Thread thread() {
        return thread;
    }

    // ---- what is seen of it from time to time, by one thread

    boolean isWorking() {
        return !isWaiting;
    }

    /** If a command still runs after so many looks, another thread goes on with the rest. */
    void relieve() {
        Shift tired = shift;
        if (tired.isLong() && tired.tryRelieve()) {
            shift = new Shift();
            start();
        }
    }

    /** One thread's time at the loop. */
    private final class Shift implements Runnable {
        /** So many times ten milliseconds; the operating system alone may keep the thread from its processor for some of them. */
        private static final int LOOKS_MAX = 5;

        /** So many commits wait at most for others to be applied with them. */
        private static final int COMMITS_MAX = 64;

        /** So long the first of them waits, and keeps its locks, before the next turn. */
        private static final long COMMITS_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(2);

        private static final int BETWEEN = 0;
        private static final int AT_WORK = 1;
        private static final int RELIEVED = 2;

        private final ByteBuffer buffer = ByteBuffer.allocateDirect(Connection.SHARED_REQUEST_BYTES_MAX);
        private final AtomicInteger state = new AtomicInteger(BETWEEN);
        private final AtomicInteger turn = new AtomicInteger();

        /** What {@link #isLong} found the last time, and how often. */
        private int seenTurn;

        private int timesSeen;

        /** When the first of those that are committing was added. */
        private long committingSince;

        boolean isLong() {
            int now = turn.get();
            timesSeen = now == seenTurn && state.get() == AT_WORK ? timesSeen + 1 : 0;
            seenTurn = now;
            return timesSeen > LOOKS_MAX;
        }

        /** False if it has just come to an end by itself. */
        boolean tryRelieve() {
            return state.compareAndSet(AT_WORK, RELIEVED);
        }

        @Override
        public void run() {
            try {
                // What the thread before has left: what held that up may last, and must not hold up the others one by
                // one.
                committing.forEach(Connection::leave);
                committing.clear();
                while (!isClosed) {
                    awaitReady();
                    if (!haveAllTurns()) {
                        return;
                    }
                }
                end();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void end() throws IOException {
            runErrands();
            Set<Connection> left = new HashSet<>();
            waiting.forEach(each -> left.add(each.connection));
            left.addAll(preparing);
            left.forEach(Connection::leave);
            for (SelectionKey each : selector.keys()) {
                Connection connection = (Connection) each.attachment();
                if (!left.contains(connection)) {
                    connection.endByItself();
                }
            }
            selector.close();
        }

        private void awaitReady() throws IOException {
            // A thread that has been relieved may have been told of what is prepared, and not have come to it.
            if (isOneDue() || !prepared.isEmpty()) {
                selector.selectNow();
            } else {
                askForDurability();
                isWaiting = true;
                selector.select();
                isWaiting = false;
            }
            begun.run();
            runErrands();
            ready.addAll(selector.selectedKeys());
            selector.selectedKeys().clear();
        }

        private void runErrands() {
            for (Runnable errand = errands.poll(); errand != null; errand = errands.poll()) {
                errand.run();
            }
        }

        /** False if one took so long that another thread serves the others by now. */
        private boolean haveAllTurns() {
            while (isOneDue()) {
                Connection next = waiting.remove().connection;
                if (!hasTurn(next, next::finish)) {
                    return false;
                }
            }
            for (Connection next = prepared.poll(); next != null; next = prepared.poll()) {
                preparing.remove(next);
                if (!runs(next, next::again)) {
                    return false;
                }
            }
            for (SelectionKey next = ready.poll(); next != null; next = ready.poll()) {
                SelectionKey key = next;
                Connection connection = (Connection) key.attachment();
                if (!runs(connection, () -> connection.serve(key, buffer))) {
                    return false;
                }
            }
            return haveCommitted();
        }

        private boolean runs(Connection connection, Supplier<Connection.Turn> command) {
            return hasTurn(connection, command) && (!mustCommit() || haveCommitted());
        }

        private boolean mustCommit() {
            return committing.size() >= COMMITS_MAX
                    || (!committing.isEmpty() && nanoTime.getAsLong() - committingSince > COMMITS_NANOS_MAX);
        }

        private boolean haveCommitted() {
            if (!committing.isEmpty() && !haveApplied()) {
                return false;
            }
            while (!committing.isEmpty()) {
                Connection next = committing.remove();
                if (!hasTurn(next, next::goOn)) {
                    return false;
                }
            }
            return true;
        }

        /** A turn, too: the engine may let a write wait, and then somebody else has to serve those that only read. */
        private boolean haveApplied() {
            state.set(AT_WORK);
            turn.lazySet(turn.get() + 1);
            dispatcher.applyCommits();
            return state.compareAndSet(AT_WORK, BETWEEN);
        }

        private boolean isOneDue() {
            Waiting first = waiting.peek();
            return first != null
                    && (dispatcher.isDurable(first.durableTime) || Long.compareUnsigned(first.durableTime, told) <= 0);
        }

        /** After all that has come has been run, so that it becomes durable at once. */
        private void askForDurability() {
            Waiting first = waiting.peek();
            if (first != null && !isAsked) {
                isAsked = true;
                long wanted = first.durableTime;
                dispatcher.whenDurable(wanted, () -> {
                    told = wanted;
                    isAsked = false;
                    selector.wakeup();
                });
            }
        }

        private boolean hasTurn(Connection connection, Supplier<Connection.Turn> work) {
            state.set(AT_WORK);
            turn.lazySet(turn.get() + 1);
            Connection.Turn taken = work.get();
            boolean goesOn = state.compareAndSet(AT_WORK, BETWEEN);
            if (goesOn && taken == Connection.Turn.COMMITS) {
                if (committing.isEmpty()) {
                    committingSince = nanoTime.getAsLong();
                }
                committing.add(connection);
            } else if (goesOn && taken == Connection.Turn.WAITS) {
                waiting.add(new Waiting(connection.durableTime(), connection));
            } else if (goesOn && taken == Connection.Turn.PREPARES) {
                preparing.add(connection);
                connection.prepare(() -> {
                    prepared.add(connection);
                    wake();
                });
            } else {
                connection.served(taken, !goesOn);
            }
            return goesOn;
        }
    }
}
