package dev.semel.server.auth;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user as stored.
 *
 * @param id of this user; a user who is created again with the same name has another one
 * @param credentials empty for a user who is authenticated externally
 * @param customData set by an administrator; null for none
 */
public record User(
        UserName name,
        Value id,
        Map<ScramHash, Credential> credentials,
        Set<Role> roles,
        @Nullable RawDocument customData) {

    /** Null if the document is not that of a user. */
    static @Nullable User parse(RawDocument stored) {
        if (!(stored.get("user") instanceof Value.Str(var user))
                || !(stored.get("db") instanceof Value.Str(var database))) {
            return null;
        }
        Value id = stored.get("userId");
        return new User(
                new UserName(user.toString(), database.toString()),
                id == null ? Value.of(0) : id,
                credentials(stored),
                roles(stored),
                stored.get("customData") instanceof Value.Doc(RawDocument data) ? data : null);
    }

    private static Map<ScramHash, Credential> credentials(RawDocument stored) {
        Map<ScramHash, Credential> credentials = new EnumMap<>(ScramHash.class);
        if (stored.get("credentials") instanceof Value.Doc(RawDocument all)) {
            for (ScramHash hash : ScramHash.values()) {
                Credential credential = all.get(hash.mechanism()) instanceof Value.Doc(RawDocument fields)
                        ? Credential.parse(fields)
                        : null;
                if (credential != null) {
                    credentials.put(hash, credential);
                }
            }
        }
        return credentials;
    }

    private static Set<Role> roles(RawDocument stored) {
        Set<Role> roles = new LinkedHashSet<>();
        if (stored.get("roles") instanceof Value.Array(RawDocument all)) {
            for (var at = all.cursor(); at.next(); ) {
                if (at.value() instanceof Value.Doc(RawDocument role)
                        && role.get("role") instanceof Value.Str(var name)
                        && role.get("db") instanceof Value.Str(var database)) {
                    roles.add(new Role(name.toString(), database.toString()));
                }
            }
        }
        return roles;
    }

    public User withCredentials(Map<ScramHash, Credential> other) {
        return new User(name, id, other, roles, customData);
    }

    public User withRoles(Set<Role> other) {
        return new User(name, id, credentials, other, customData);
    }

    public User withCustomData(RawDocument other) {
        return new User(name, id, credentials, roles, other);
    }

    RawDocument toDocument() {
        BsonWriter out = new BsonWriter().put("_id", name.id()).put("userId", id);
        name.writeTo(out);
        writeCredentials(out);
        if (customData != null) {
            out.put("customData", customData);
        }
        writeRoles("roles", roles, out);
        return out.finish();
    }

    /** As {@code credentials}. */
    public void writeCredentials(BsonWriter out) {
        out.startDocument("credentials");
        if (credentials.isEmpty()) {
            out.put("external", true);
        }
        credentials.forEach((hash, credential) -> {
            out.startDocument(hash.mechanism());
            credential.writeTo(out);
            out.end();
        });
        out.end();
    }

    public static void writeRoles(String field, Iterable<Role> roles, BsonWriter out) {
        out.startArray(field);
        for (Role role : roles) {
            out.startDocument();
            role.writeTo(out);
            out.end();
        }
        out.end();
    }
}
