package dev.semel.server.failpoint;

/** Which of the occasions that match a fail point it takes. */
public sealed interface Mode {
    /** None, until it is set again. */
    record Off() implements Mode {}

    record AlwaysOn() implements Mode {}

    /** The first {@code count} commands. */
    record Times(long count) implements Mode {}

    /** All but the first {@code count} commands. */
    record Skip(long count) implements Mode {}

    /** Each with this probability: 0 never, 1 always. */
    record Activation(double probability) implements Mode {}
}
