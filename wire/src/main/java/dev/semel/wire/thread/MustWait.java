package dev.semel.wire.thread;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * What runs on a {@link SharedThread} cannot go on without waiting, or takes long. It is given up as a whole, and begun again on
 * a thread of its own; so it must not have done anything yet. No {@link Exception}, because nobody in between can handle it.
 */
public final class MustWait extends Error {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient @Nullable Preparation preparation;

    /** What others can do so that the wait is not needed the next time. */
    public interface Preparation {
        /** Returns at once. {@code done} is called once, from any thread, even if it came to nothing. */
        void start(Runnable done);
    }

    private MustWait(@Nullable Preparation preparation) {
        super("waits on a thread that serves many", null, false, false);
        this.preparation = preparation;
    }

    /**
     * Before a wait. Throws on a shared thread that can give up what it does; does nothing on others, unless the stack is about
     * to end: then it ends here, with a {@link StackOverflowError}.
     */
    public static void check() {
        check(null);
    }

    /** The same before a wait for what others can prepare, without anything that what is given up holds. */
    public static void check(@Nullable Preparation preparation) {
        if (SharedThread.canGiveUp()) {
            throw new MustWait(preparation);
        }
        StackRoom.check();
    }

    /** After which the same may be begun on the same thread; null if that would not help. */
    public @Nullable Preparation preparation() {
        return preparation;
    }
}
