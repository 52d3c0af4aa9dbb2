package dev.semel.store.rocks;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/** Work on a channel by a thread that others may interrupt, which closes the channel: the commit is not the thread's alone. */
final class Uninterrupted {
    private Uninterrupted() {}

    interface Work {
        void run() throws IOException;
    }

    /** @param work is done again, on another channel, if an interrupt has closed its own */
    static void run(Work work) throws IOException {
        boolean isInterrupted = false;
        boolean isDone = false;
        try {
            while (!isDone) {
                isInterrupted |= Thread.interrupted();
                try {
                    work.run();
                    isDone = true;
                } catch (ClosedByInterruptException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
