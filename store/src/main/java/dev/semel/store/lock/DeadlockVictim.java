package dev.semel.store.lock;

/**
 * Refuses a lock to a plain statement because waiting would close a cycle. Its transaction is rolled back, which lets the
 * others go on, and the statement runs again, unnoticed by the client.
 */
public final class DeadlockVictim extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DeadlockVictim(String message) {
        super(message, null, false, false);
    }
}
