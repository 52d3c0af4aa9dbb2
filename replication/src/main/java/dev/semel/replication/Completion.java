package dev.semel.replication;

/** How a transfer of leadership, a change of members or a snapshot ended. */
public sealed interface Completion {
    record Done() implements Completion {}

    record Failed(String reason) implements Completion {}
}
