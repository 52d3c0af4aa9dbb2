package dev.semel.replication;

import java.util.UUID;

/** Identifies a Raft group: all its members use the same. */
public record GroupId(UUID uuid) {
    @Override
    public String toString() {
        return uuid.toString();
    }
}
