package dev.semel.server;

/**
 * Waits without being interrupted, because leaving early would leak a lock or a thread. The interrupt is restored
 * afterwards.
 */
interface Uninterrupted {
    void end() throws InterruptedException;

    static void await(Uninterrupted wait) {
        boolean interrupted = false;
        while (true) {
            try {
                wait.end();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
