package dev.semel.server;

/** Waits for the end of something: to leave half way would leave a lock or a thread behind, so an interrupt waits its turn. */
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
