package dev.semel.wire.thread;

/**
 * A thread that serves many clients in turn, so that nothing that runs on it may wait for others. What would have to wait
 * calls {@link MustWait#check} first.
 */
public final class SharedThread extends Thread {
    public SharedThread(String name, Runnable task) {
        super(null, task, name, 0, false);
        setDaemon(true);
    }

    /** Whether the caller runs on one. */
    public static boolean isCurrent() {
        return Thread.currentThread() instanceof SharedThread;
    }
}
