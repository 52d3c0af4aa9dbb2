package dev.semel.server.auth;

import dev.semel.wire.bson.BsonWriter;

/** The name of a role, and the database it is a role in. */
public record Role(String name, String database) {
    /** As {@code role} and {@code db}. */
    public void writeTo(BsonWriter out) {
        out.put("role", name).put("db", database);
    }

    @Override
    public String toString() {
        return name + "@" + database;
    }
}
