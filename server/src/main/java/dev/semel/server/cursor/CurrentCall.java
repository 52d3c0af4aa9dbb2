package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.wire.thread.MustWait;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The call that works on a result at the moment. A result outlives the call that opened it, but the code that computes it
 * has one fixed place to ask whether to go on.
 */
public final class CurrentCall implements Runnable {
    /** Other commands take less: the carriers of virtual threads are few. */
    private static final long WORK_NANOS_MAX = 2_000_000;

    /** Longer than this only if others that compute are more than the carriers. */
    private static final long WAIT_NANOS_MAX = 1_000_000;

    private static final long PAUSE_NANOS_MAX = 20_000_000;

    private volatile Call call;

    /**
     * For how long the next pause is. A carrier takes from the queue of those that have paused until it is empty, and looks for
     * requests of others only then; so pauses are so long that the queue becomes empty.
     */
    private long pauseNanos = 1;

    /** Of the call's time. */
    private long atWorkSince;

    /** Its conditions are so many that they are counted, or it runs scripts: the others' stacks are small. */
    private boolean mayBeDeep;

    public CurrentCall(Call call) {
        this.call = call;
    }

    public Call call() {
        return call;
    }

    /** By the result, when it goes on. */
    public void set(Call next) {
        call = next;
        atWorkSince = next.elapsedNanos();
    }

    /** Throws if the call is to stop; lets others run if it has worked for long. */
    @Override
    public void run() {
        call.interruption().check();
        if (call.elapsedNanos() - atWorkSince > WORK_NANOS_MAX) {
            giveWay();
        }
    }

    private void giveWay() {
        if (Thread.currentThread().isVirtual()) {
            holdStack();
            long before = call.elapsedNanos();
            pause();
            long waited = call.elapsedNanos() - before - pauseNanos;
            pauseNanos = waited > WAIT_NANOS_MAX
                    ? Math.min(pauseNanos + waited, PAUSE_NANOS_MAX)
                    : Math.max(1, pauseNanos - pauseNanos / 8);
        } else {
            MustWait.check();
        }
        atWorkSince = call.elapsedNanos();
    }

    private void pause() {
        try {
            MustWait.check();
            LockSupport.parkNanos(pauseNanos);
        } catch (StackOverflowError tooDeep) {
            // To put a stack aside takes some of what is left of it. A script that is too deep goes on without.
        }
    }

    /** Before others run while the stack is put aside. */
    private void holdStack() {
        if (mayBeDeep && Thread.currentThread().isVirtual()) {
            call.partMemory().holdStack(StackDepth.bytes());
        }
    }

    /** More conditions and changes have been read for the call; refused if there is no room for them. */
    public void holdParts(long bytes) {
        mayBeDeep = true;
        call.partMemory().hold(bytes);
    }

    /** Waits, unless the call is to stop; then throws. */
    public void stall(long ms) {
        holdStack();
        Call current = call;
        current.failPoints().stall(Duration.ofMillis(ms), current.interruption());
    }
}
