package dev.semel.wire.thread;

/**
 * Whether a virtual thread has enough of its stack left to wait. If the stack ends while the thread is being put aside, the
 * virtual machine may end with it (seen with JDK 25.0.3), so it has to end before.
 */
final class StackRoom {
    /** At 16 bytes or more each. What a wait calls until it has put the thread aside takes a quarter of that. */
    private static final int FRAMES = 256;

    private StackRoom() {}

    /** Throws a {@link StackOverflowError} if not. Threads of the platform do without. */
    static void check() {
        if (Thread.currentThread().isVirtual()) {
            descend(FRAMES);
        }
    }

    private static int descend(int frames) {
        return frames == 0 ? 0 : descend(frames - 1) + 1;
    }
}
