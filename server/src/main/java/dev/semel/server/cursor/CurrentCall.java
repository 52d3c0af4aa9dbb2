package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The call that works on a result at the moment. A result outlives the call that opened it, but the code that computes it
 * has one fixed place to ask whether to go on.
 */
public final class CurrentCall implements Runnable {
    /** Other commands take less: the carriers of virtual threads are few. */
    private static final long WORK_NANOS_MAX = 2_000_000;

    private volatile Call call;
    private long atWorkSince = System.nanoTime();

    public CurrentCall(Call call) {
        this.call = call;
    }

    public Call call() {
        return call;
    }

    /** By the result, when it goes on. */
    public void set(Call next) {
        call = next;
    }

    /** Throws if the call is to stop; lets others run if it has worked for long. */
    @Override
    public void run() {
        call.interruption().check();
        if (System.nanoTime() - atWorkSince > WORK_NANOS_MAX) {
            giveWay();
        }
    }

    private void giveWay() {
        if (Thread.currentThread().isVirtual()) {
            LockSupport.parkNanos(1);
        }
        atWorkSince = System.nanoTime();
    }

    /** Waits, unless the call is to stop; then throws. */
    public void stall(long ms) {
        Call current = call;
        current.failPoints().stall(Duration.ofMillis(ms), current.interruption());
    }
}
