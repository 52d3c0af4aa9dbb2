package dev.semel.wire.thread;

/**
 * A thread that serves many clients in turn, so that nothing that runs on it should wait for others. What would have to wait
 * calls {@link MustWait#check} first, which gives up what runs there as long as it has had no effect.
 */
public final class SharedThread extends Thread {
    /** By this thread alone. */
    private boolean canGiveUp;

    public SharedThread(String name, Runnable task) {
        super(null, task, name, 0, false);
        setDaemon(true);
    }

    /** Whether the caller runs on one. */
    public static boolean isCurrent() {
        return Thread.currentThread() instanceof SharedThread;
    }

    /** On one: what begins now can be begun again on another thread, until {@link #goThrough}. */
    public static void begin() {
        if (Thread.currentThread() instanceof SharedThread shared) {
            shared.canGiveUp = true;
        }
    }

    /** What the thread does must not be begun again: it is about to have an effect, or is done. From now on it waits where it has to. */
    public static void goThrough() {
        if (Thread.currentThread() instanceof SharedThread shared) {
            shared.canGiveUp = false;
        }
    }

    static boolean canGiveUp() {
        return Thread.currentThread() instanceof SharedThread shared && shared.canGiveUp;
    }
}
