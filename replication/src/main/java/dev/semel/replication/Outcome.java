package dev.semel.replication;

/** What became of a proposal. */
public sealed interface Outcome {
    /** Committed, and applied on this member. */
    record Applied(Position position) implements Outcome {}

    /** Not in the log and never will be: this member is not the leader of the expected term, or is handing over. */
    record NotWritable(String reason) implements Outcome {}

    /** Not in the log and never will be: too much is waiting already. Try again when some of it has completed. */
    record Busy() implements Outcome {}

    /** In the log of this member, which then ceased to be the leader: the entry may yet be committed, or not. */
    record Unknown(String reason) implements Outcome {}
}
