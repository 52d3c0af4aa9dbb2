package dev.semel.server.auth;

import dev.semel.wire.bson.BsonWriter;
import java.nio.charset.StandardCharsets;

/** Identifies a user: a name, and the authentication database. */
public record UserName(String name, String database) {
    /** The database of users who are authenticated externally, for example by a certificate. */
    public static final String EXTERNAL = "$external";

    /** Under which the user is stored. */
    public String id() {
        return database + "." + name;
    }

    /** Distinguishes the user's sessions from those of others. */
    public UserDigest digest() {
        return UserDigest.of((name + "@" + database).getBytes(StandardCharsets.UTF_8));
    }

    /** As {@code user} and {@code db}. */
    public void writeTo(BsonWriter out) {
        out.put("user", name).put("db", database);
    }

    @Override
    public String toString() {
        return name + "@" + database;
    }
}
