package dev.semel.server.replica;

import dev.semel.server.command.Arguments;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings in the configuration of a replica set.
 *
 * @param electionTimeoutMillis a member that hears no primary for this long asks to be elected; counts from its next start
 * @param modes write concerns by name: for each tag, how many different values of it must have the write
 * @param replicaSetId null before the set has one
 */
public record SetSettings(
        int heartbeatIntervalMillis,
        int heartbeatTimeoutSecs,
        int electionTimeoutMillis,
        Map<String, Map<String, Integer>> modes,
        @Nullable ObjectId replicaSetId) {
    /**
     * What a set has that says nothing else. A primary whose process has ended is replaced before that; this is for one that
     * cannot be reached, and long enough that a busy machine does not look like one.
     */
    public static final int ELECTION_TIMEOUT_MS = 1500;

    private static final int HEARTBEAT_INTERVAL_MS = 2000;
    private static final int HEARTBEAT_TIMEOUT_SECS = 10;

    public SetSettings {
        modes = Collections.unmodifiableMap(new TreeMap<>(modes));
    }

    public static SetSettings usual(int electionTimeoutMillis) {
        return new SetSettings(HEARTBEAT_INTERVAL_MS, HEARTBEAT_TIMEOUT_SECS, electionTimeoutMillis, Map.of(), null);
    }

    SetSettings with(ObjectId id) {
        return new SetSettings(heartbeatIntervalMillis, heartbeatTimeoutSecs, electionTimeoutMillis, modes, id);
    }

    static SetSettings parse(RawDocument document, SetSettings usual) {
        Arguments in = Arguments.ofDocument("settings", document);
        Value id = in.optional("replicaSetId");
        if (id != null && !(id instanceof Value.Oid)) {
            throw in.wrongType("replicaSetId", id, "'objectId'");
        }
        SetSettings settings = new SetSettings(
                positive(in, "heartbeatIntervalMillis", usual.heartbeatIntervalMillis),
                positive(in, "heartbeatTimeoutSecs", usual.heartbeatTimeoutSecs),
                positive(in, "electionTimeoutMillis", usual.electionTimeoutMillis),
                modes(in.documentOrEmpty("getLastErrorModes")),
                id instanceof Value.Oid(ObjectId known) ? known : usual.replicaSetId);
        // Of MongoDB's way of replicating and of electing; here they would mean nothing.
        in.ignored("chainingAllowed", "catchUpTimeoutMillis", "catchUpTakeoverDelayMillis", "getLastErrorDefaults");
        in.refuseUnknown();
        return settings;
    }

    private static int positive(Arguments in, String field, int otherwise) {
        return (int) Math.min(in.atLeast(field, 1, otherwise), Integer.MAX_VALUE);
    }

    private static Map<String, Map<String, Integer>> modes(RawDocument document) {
        Map<String, Map<String, Integer>> modes = new TreeMap<>();
        for (var at = document.cursor(); at.next(); ) {
            if (!(at.value() instanceof Value.Doc(RawDocument tags))) {
                throw SetMember.invalid(
                        "Expected getLastErrorModes.%s to be an Object, not %s",
                        at.name(), at.value().type().alias());
            }
            modes.put(at.name(), mode(at.name(), tags));
        }
        return modes;
    }

    private static Map<String, Integer> mode(String name, RawDocument tags) {
        Arguments in = Arguments.ofDocument("getLastErrorModes." + name, tags);
        Map<String, Integer> values = new TreeMap<>();
        for (String tag : in.unread()) {
            long count = in.requiredInteger(tag);
            if (count < 1 || count > SetConfig.MEMBERS_MAX) {
                throw SetMember.invalid(
                        "Value of getLastErrorModes.%s.%s must be positive, but found %d", name, tag, count);
            }
            values.put(tag, (int) count);
        }
        return values;
    }

    void writeTo(BsonWriter out) {
        out.startDocument("settings")
                .put("chainingAllowed", true)
                .put("heartbeatIntervalMillis", heartbeatIntervalMillis)
                .put("heartbeatTimeoutSecs", heartbeatTimeoutSecs)
                .put("electionTimeoutMillis", electionTimeoutMillis)
                .put("catchUpTimeoutMillis", -1)
                .put("catchUpTakeoverDelayMillis", 30_000)
                .startDocument("getLastErrorModes");
        modes.forEach((name, tags) -> {
            out.startDocument(name);
            tags.forEach(out::put);
            out.end();
        });
        out.end()
                .startDocument("getLastErrorDefaults")
                .put("w", 1)
                .put("wtimeout", 0)
                .end();
        ObjectId id = replicaSetId;
        if (id != null) {
            out.put("replicaSetId", new Value.Oid(id));
        }
        out.end();
    }
}
