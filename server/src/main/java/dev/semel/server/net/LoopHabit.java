package dev.semel.server.net;

/**
 * Whether a connection should be served by a loop: when it has sent only what may run there for a while. If it has to leave soon,
 * the next while is longer.
 */
final class LoopHabit {
    static final int ROW_MIN = 8;
    static final int ROW_MAX = 4096;

    /** A stay of as many commands pays for the moves. */
    static final int STAY_MIN = 64;

    private int rowMin = ROW_MIN;
    private int inRow;
    private int stay;

    /** The connection's own thread has run a command. */
    void ran(boolean couldBeShared) {
        inRow = couldBeShared ? inRow + 1 : 0;
    }

    boolean suggestsLoop() {
        return inRow >= rowMin;
    }

    /** A loop has run a command. */
    void ranShared() {
        stay++;
    }

    /** Its own thread serves it again. */
    void left() {
        rowMin = stay < STAY_MIN ? Math.min(2 * rowMin, ROW_MAX) : ROW_MIN;
        inRow = 0;
        stay = 0;
    }
}
