package dev.semel.server.replica;

import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A member in the configuration of a replica set.
 *
 * @param id does not change while the member belongs to the set
 * @param host where clients reach it, {@code host:port}
 * @param priority the member with the highest one becomes primary if it is caught up; with 0 it never does
 * @param votes 1 if it votes and counts for a majority, otherwise 0
 * @param hidden whether clients are not told of it
 * @param delaySecs how much later than the others it applies commits
 */
public record SetMember(
        int id, String host, double priority, int votes, boolean hidden, int delaySecs, Map<String, String> tags) {
    private static final int ID_MAX = 255;

    /** A leap year. */
    private static final int DELAY_SECS_MAX = 366 * 24 * 3600;

    private static final double PRIORITY_MAX = 1000;
    private static final int DEFAULT_PORT = 27017;
    private static final int PORT_MAX = 65_535;

    public SetMember {
        tags = Collections.unmodifiableMap(new TreeMap<>(tags));
    }

    /** What a member is that nothing else is said of. */
    public static SetMember of(int id, String host) {
        return new SetMember(id, host, 1, 1, false, 0, Map.of());
    }

    static SetMember parse(RawDocument document) {
        Arguments in = Arguments.ofDocument("MemberConfig", document);
        SetMember member = new SetMember(
                Math.clamp(in.requiredInteger("_id"), -1, ID_MAX + 1),
                withPort(in.requiredString("host")),
                number(in, "priority", 1),
                Math.clamp(in.integer("votes", 1), -1, 2),
                in.bool("hidden", false),
                Math.clamp(in.integer("secondaryDelaySecs", in.integer("slaveDelay", 0)), -1, DELAY_SECS_MAX + 1),
                tags(in.documentOrEmpty("tags")));
        if (in.bool("arbiterOnly", false)) {
            throw invalid("arbiters are not supported: a member with priority 0 votes too, and has the data");
        }
        if (!in.bool("buildIndexes", true)) {
            throw invalid("buildIndexes: false is not supported: every member has all indexes");
        }
        in.notHonoured("horizons");
        in.ignored("newlyAdded").refuseUnknown();
        member.check();
        member.checkDelay();
        return member;
    }

    private static double number(Arguments in, String field, double otherwise) {
        return switch (in.optional(field)) {
            case null -> otherwise;
            case Value.Double64(double value) -> value;
            case Value other -> in.requiredInteger(field);
        };
    }

    private static String withPort(String host) {
        return host.lastIndexOf(':') > host.lastIndexOf(']') ? host : host + ":" + DEFAULT_PORT;
    }

    private static Map<String, String> tags(RawDocument document) {
        Map<String, String> tags = new TreeMap<>();
        for (var at = document.cursor(); at.next(); ) {
            if (!(at.value() instanceof Value.Str(Text value))) {
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "tags.%s field has non-string value of type %s",
                        at.name(),
                        at.value().type().alias());
            }
            tags.put(at.name(), value.toString());
        }
        return tags;
    }

    private void check() {
        if (id < 0 || id > ID_MAX) {
            throw invalid("_id field value of %d is out of range.", id);
        }
        if (!host.matches("(\\[[^\\]]+]|[^:\\s]+):[0-9]{1,5}")) {
            throw invalid("host '%s' is not HOST:PORT", host);
        }
        // A server that listens nowhere has port 0.
        if (Integer.parseInt(host.substring(host.lastIndexOf(':') + 1)) > PORT_MAX) {
            throw invalid("host '%s' has no possible port: the last one is %d", host, PORT_MAX);
        }
        if (!(priority >= 0 && priority <= PRIORITY_MAX)) {
            throw invalid("priority field value of %s is out of range", priority);
        }
        if (votes != 0 && votes != 1) {
            throw invalid("votes field value is %d but must be 0 or 1", votes);
        }
        if (votes == 0 && priority > 0) {
            throw invalid("priority must be 0 when non-voting (votes:0)");
        }
        if (hidden && priority > 0) {
            throw invalid("priority must be 0 when hidden=true");
        }
    }

    private void checkDelay() {
        if (delaySecs < 0 || delaySecs > DELAY_SECS_MAX) {
            throw invalid("secondaryDelaySecs field value of %d seconds is out of range", delaySecs);
        }
        if (delaySecs > 0 && priority > 0) {
            throw invalid("priority must be 0 when secondaryDelaySecs is used");
        }
    }

    static CommandException invalid(String message, Object... arguments) {
        return new CommandException(ErrorCode.BadValue, message, arguments);
    }

    public boolean isVoter() {
        return votes == 1;
    }

    public Duration delay() {
        return Duration.ofSeconds(delaySecs);
    }

    public boolean isElectable() {
        return priority > 0;
    }

    public SetMember at(String otherHost) {
        return new SetMember(id, otherHost, priority, votes, hidden, delaySecs, tags);
    }

    void writeTo(BsonWriter out) {
        out.startDocument()
                .put("_id", id)
                .put("host", host)
                .put("arbiterOnly", false)
                .put("buildIndexes", true)
                .put("hidden", hidden)
                .put("priority", priority)
                .startDocument("tags");
        tags.forEach(out::put);
        out.end()
                .put("secondaryDelaySecs", (long) delaySecs)
                .put("votes", votes)
                .end();
    }
}
