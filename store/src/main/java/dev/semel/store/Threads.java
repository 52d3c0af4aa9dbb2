package dev.semel.store;

/** Waiting for threads that end by themselves. */
final class Threads {
    private Threads() {}

    /** Waits even if interrupted, which is remembered: what the thread still has to write must be written. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
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
