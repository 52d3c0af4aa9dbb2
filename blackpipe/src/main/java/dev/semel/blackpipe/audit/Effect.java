package dev.semel.blackpipe.audit;

/** How much of an operation's effect is in the data. */
public sealed interface Effect {
    /** The whole of it, so often. */
    record Times(long count) implements Effect {
        @Override
        public String toString() {
            return count + " x";
        }
    }

    /**
     * Some of it, and not the rest: the data is neither as before nor as it should be.
     *
     * @param found the data, in words
     */
    record Part(String found) implements Effect {
        @Override
        public String toString() {
            return "in part";
        }
    }
}
