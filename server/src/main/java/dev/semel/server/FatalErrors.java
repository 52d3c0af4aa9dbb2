package dev.semel.server;

import dev.semel.server.net.Listener;
import dev.semel.server.status.Log;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The only place that decides that a server must stop: the log cannot be written, a thread of the server has died, or
 * the JVM is out of memory, after which any operation may be incomplete.
 */
final class FatalErrors {
    private final Log log;
    private final Consumer<Throwable> end;
    private final AtomicBoolean isTold = new AtomicBoolean();

    /** Of threads without which the server would go on in part; made now, because there may be no memory then. */
    private final Thread.UncaughtExceptionHandler partHandler = this::partDied;

    private final Thread.UncaughtExceptionHandler connectionHandler = this::connectionDied;

    /** @param end called once, with the first failure */
    FatalErrors(Log log, Consumer<Throwable> end) {
        this.log = log;
        this.end = end;
    }

    void fatal(Throwable cause) {
        if (!isTold.compareAndSet(false, true)) {
            return;
        }
        try {
            if (!(cause instanceof VirtualMachineError)) {
                log.error(Log.Component.CONTROL, "main", "The server cannot go on", cause);
            }
        } finally {
            end.accept(cause);
        }
    }

    boolean isTold() {
        return isTold.get();
    }

    /** For threads that the server cannot be without. */
    Thread.UncaughtExceptionHandler partHandler() {
        return partHandler;
    }

    /** For the threads of the listener. */
    Listener.Deaths deaths() {
        return new Listener.Deaths(partHandler, connectionHandler);
    }

    private void partDied(Thread thread, Throwable cause) {
        fatal(cause);
    }

    /** A defect ends one connection; a lack of memory or a broken virtual machine ends the server. */
    private void connectionDied(Thread thread, Throwable cause) {
        if (cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError)) {
            fatal(cause);
        } else {
            log.error(Log.Component.NETWORK, thread.getName(), "A connection ended by a defect", cause);
        }
    }
}
