package dev.semel.server.command;

/** What applies to commands that name no concern of their own. */
public record Concerns(ReadConcern read, WriteConcern write) {
    public static final Concerns DEFAULT = new Concerns(ReadConcern.LOCAL, WriteConcern.DEFAULT);
}
