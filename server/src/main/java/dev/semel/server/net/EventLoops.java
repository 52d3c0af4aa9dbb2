package dev.semel.server.net;

import dev.semel.server.command.Dispatcher;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * As many {@link EventLoop}s as the work needs, at first one and never more than processors: every further one costs
 * additional switches between threads. They are looked at every ten milliseconds while there is work.
 */
final class EventLoops implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Dispatcher dispatcher;
    private final Processors processors;
    private final Thread.UncaughtExceptionHandler deaths;
    private final LongSupplier nanoTime;
    private final List<EventLoop> loops = new CopyOnWriteArrayList<>();

    /** Guarded by this object. */
    private final LoopCount count;

    private volatile @Nullable Thread looking;
    private volatile boolean isAsleep;
    private volatile boolean isClosed;

    /** @param deaths notified if a thread ends by an exception; the server cannot be without it */
    EventLoops(
            Dispatcher dispatcher,
            Processors processors,
            Thread.UncaughtExceptionHandler deaths,
            LongSupplier nanoTime) {
        this.dispatcher = dispatcher;
        this.processors = processors;
        this.deaths = deaths;
        this.nanoTime = nanoTime;
        this.count = new LoopCount(processors.count());
    }

    /** For one more connection; null if it is too late for that. */
    synchronized @Nullable EventLoop choose() {
        if (isClosed) {
            return null;
        }
        if (looking == null) {
            try {
                start();
            } catch (IOException e) {
                // No file descriptor for it: threads of their own serve connections as well.
                return null;
            }
            looking = Thread.ofPlatform()
                    .name("semel-loops")
                    .daemon(true)
                    .uncaughtExceptionHandler(deaths)
                    .start(this::lookAfter);
        }
        // One that is needed may not have been had.
        return loops.get(Math.min(count.leastBusy(), loops.size() - 1));
    }

    private void start() throws IOException {
        EventLoop loop = new EventLoop("semel-loop-" + loops.size(), dispatcher, deaths, this::wake, nanoTime);
        loops.add(loop);
        loop.start();
    }

    private void wake() {
        if (isAsleep) {
            isAsleep = false;
            LockSupport.unpark(looking);
        }
    }

    // ---- by a thread of its own

    private void lookAfter() {
        while (!isClosed) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            loops.forEach(EventLoop::relieve);
            try {
                if (look() instanceof LoopCount.Change.Rest) {
                    sleep();
                }
            } catch (IOException e) {
                // No file descriptor for one more loop: there are some already.
            }
        }
    }

    private synchronized LoopCount.Change look() throws IOException {
        for (int i = 0; i < loops.size(); i++) {
            if (loops.get(i).isWorking()) {
                count.saw(i);
            }
        }
        LoopCount.Change change = count.next(processors::isOneIdle);
        if (isClosed) {
            return change;
        }
        switch (change) {
            case LoopCount.Change.Share(int from, int to) -> {
                if (to == loops.size()) {
                    start();
                }
                loops.get(from).give(loops.get(to), false);
            }
            case LoopCount.Change.Merge(int from, int to) -> {
                if (from < loops.size()) {
                    loops.get(from).give(loops.get(to), true);
                }
            }
            case LoopCount.Change.Rest rest -> {}
            case LoopCount.Change.Nothing nothing -> {}
        }
        return change;
    }

    /** Until a loop is at work again. */
    private void sleep() {
        isAsleep = true;
        while (isAsleep && !isClosed) {
            if (loops.stream().anyMatch(EventLoop::isWorking)) {
                // It has looked whether to wake us before we said so.
                isAsleep = false;
            } else {
                LockSupport.park(this);
            }
        }
    }

    /** What still runs for a moment when all is closed. */
    List<Thread> threads() {
        return Stream.concat(Stream.ofNullable(looking), loops.stream().map(EventLoop::thread))
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            loops.forEach(EventLoop::close);
        }
        LockSupport.unpark(looking);
    }
}
