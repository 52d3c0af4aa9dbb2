package dev.semel.blackpipe.audit;

/** How much of an operation's effect is in the data. */
public sealed interface Effect {
    /** The whole effect, this many times. */
    record Times(long count) implements Effect {
        @Override
        public String toString() {
            return count + " x";
        }
    }

    /**
     * A part of the effect: the data is neither unchanged nor as expected.
     *
     * @param found a description of the data
     */
    record Part(String found) implements Effect {
        @Override
        public String toString() {
            return "in part";
        }
    }
}
