package dev.semel.store.lock;

/**
 * Tells a plain statement that waiting would close a circle. Its transaction is to be rolled back, which lets the others
 * go on, and the statement run again: the client never hears of it.
 */
public final class DeadlockVictim extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DeadlockVictim(String message) {
        super(message, null, false, false);
    }
}
