package dev.semel.replication;

/** A committed entry. The bytes are its owner's; the engine does not touch them again. */
@SuppressWarnings("ArrayRecordComponent")
public record Entry(Position position, byte[] bytes) {}
