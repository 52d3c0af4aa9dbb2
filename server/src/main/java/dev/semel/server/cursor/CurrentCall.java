package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import java.time.Duration;

/**
 * The call that works on a result at the moment. A result outlives the call that opened it, but the code that computes it
 * has one fixed place to ask whether to go on.
 */
public final class CurrentCall implements Runnable {
    private volatile Call call;

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

    /** Throws if the call is to stop. */
    @Override
    public void run() {
        call.interruption().check();
    }

    /** Waits, unless the call is to stop; then throws. */
    public void stall(long ms) {
        Call current = call;
        current.failPoints().stall(Duration.ofMillis(ms), current.interruption());
    }
}
