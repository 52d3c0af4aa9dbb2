package dev.semel.wire.thread;

/**
 * How much of a virtual thread's stack is left. To put the thread aside takes some more of it, so a wait at the end of a deep stack
 * fails with a {@link StackOverflowError} in the middle of whatever waits, a lock for instance, and leaves that broken; if the stack ends
 * just then, the virtual machine may end with it (seen with JDK 25.0.3).
 */
public final class StackRoom {
    /** At 16 bytes or more each. What a wait calls until it has put the thread aside takes a quarter of that. */
    private static final int FRAMES = 256;

    private StackRoom() {}

    /**
     * Before the calling thread goes on to call itself: puts its stack aside, which comes back piece by piece as it returns. To be
     * called again after not much more than a thousand frames; then every wait has room. Threads of the platform do without.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing is left to the scheduler: the stack is what matters.
    public static void make() {
        if (Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }

    /** Throws a {@link StackOverflowError} if there is not enough for a wait. */
    static void check() {
        if (Thread.currentThread().isVirtual()) {
            descend(FRAMES);
        }
    }

    private static int descend(int frames) {
        return frames == 0 ? 0 : descend(frames - 1) + 1;
    }
}
