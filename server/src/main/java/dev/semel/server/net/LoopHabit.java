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

    /** What others prepare for a command is worth while it does not happen to more than one in as many; then a thread is cheaper. */
    static final int COMMANDS_PER_PREPARATION = 4;

    /** So many may come in a row, for several commands. */
    static final int PREPARATIONS_MAX = 32;

    /** One that needs more begins anew too often. */
    static final int PREPARATIONS_OF_COMMAND_MAX = 4;

    private int rowMin = ROW_MIN;
    private int inRow;
    private int stay;

    /** Commands that have had none, less those that preparations are worth. */
    private int credit = COMMANDS_PER_PREPARATION * PREPARATIONS_MAX;

    private int preparationsOfCommand;

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
        preparationsOfCommand = 0;
        credit = Math.min(credit + 1, COMMANDS_PER_PREPARATION * PREPARATIONS_MAX);
    }

    /** Whether what a command on a loop waits for should be prepared, which counts it; if not, the connection should leave. */
    boolean affordsPreparation() {
        if (credit < COMMANDS_PER_PREPARATION || preparationsOfCommand == PREPARATIONS_OF_COMMAND_MAX) {
            return false;
        }
        preparationsOfCommand++;
        credit -= COMMANDS_PER_PREPARATION;
        return true;
    }

    /** Its own thread serves it again. */
    void left() {
        rowMin = stay < STAY_MIN ? Math.min(2 * rowMin, ROW_MAX) : ROW_MIN;
        inRow = 0;
        stay = 0;
        preparationsOfCommand = 0;
        credit = COMMANDS_PER_PREPARATION * PREPARATIONS_MAX;
    }
}
