package dev.semel.server.cursor;

/**
 * How deep the stack of a call is. The stack of a virtual thread that waits is put aside on the heap and comes back piece by piece,
 * so that of a function that calls itself forever would grow until the heap is full.
 */
final class StackDepth {
    /** Those of a pipeline of a thousand stages are 4,000. */
    private static final int FRAMES_MAX = 20_000;

    /** Not counted: every connection has as much. */
    private static final int FRAMES_FREE = 256;

    /** Those of scripts are the largest. */
    private static final int FRAME_BYTES = 256;

    private static final StackWalker WALKER = StackWalker.getInstance();

    private StackDepth() {}

    /** What the calling thread's stack takes beyond that of a small command. Throws if it is too deep. */
    static long bytes() {
        long frames = WALKER.walk(all -> all.limit(FRAMES_MAX + 1L).count());
        if (frames > FRAMES_MAX) {
            throw new StackOverflowError("more than %d frames".formatted(FRAMES_MAX));
        }
        return Math.max(0, frames - FRAMES_FREE) * FRAME_BYTES;
    }
}
