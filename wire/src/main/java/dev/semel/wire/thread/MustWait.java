package dev.semel.wire.thread;

import java.io.Serial;

/**
 * What runs on a {@link SharedThread} cannot go on without waiting, or takes long. It is given up as a whole, and begun again on
 * a thread of its own; so it must not have done anything yet. No {@link Exception}, because nobody in between can handle it.
 */
public final class MustWait extends Error {
    @Serial
    private static final long serialVersionUID = 1;

    private MustWait() {
        super("waits on a thread that serves many", null, false, false);
    }

    /** Before a wait. Throws on a shared thread that can give up what it does, and does nothing on others. */
    public static void check() {
        if (SharedThread.canGiveUp()) {
            throw new MustWait();
        }
    }
}
