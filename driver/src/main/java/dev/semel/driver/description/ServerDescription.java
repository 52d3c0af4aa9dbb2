package dev.semel.driver.description;

import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BSONException;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The description of a server: its last reply to {@code hello}, or the error. {@code lastUpdate} has an arbitrary
 * origin.
 */
public record ServerDescription(
        ServerAddress address,
        ServerType type,
        @Nullable Throwable error,
        @Nullable Duration roundTripTime,
        Duration minRoundTripTime,
        Duration lastUpdate,
        @Nullable Instant lastWriteDate,
        int minWireVersion,
        int maxWireVersion,
        @Nullable ServerAddress me,
        Set<ServerAddress> hosts,
        Set<ServerAddress> passives,
        Set<ServerAddress> arbiters,
        Map<String, String> tags,
        @Nullable String setName,
        @Nullable Integer setVersion,
        @Nullable ObjectId electionId,
        @Nullable ServerAddress primary,
        @Nullable Integer logicalSessionTimeoutMinutes,
        @Nullable TopologyVersion topologyVersion) {
    /** The wire versions that this driver supports. */
    public static final int MIN_WIRE_VERSION = 8;

    public static final int MAX_WIRE_VERSION = 29;

    private static final BsonInt32 ZERO = new BsonInt32(0);

    public static ServerDescription unknown(ServerAddress address) {
        return unknown(address, null, null);
    }

    public static ServerDescription unknown(
            ServerAddress address, @Nullable Throwable error, @Nullable TopologyVersion version) {
        return bare(address, ServerType.UNKNOWN, error, version);
    }

    public static ServerDescription loadBalancer(ServerAddress address) {
        return bare(address, ServerType.LOAD_BALANCER, null, null);
    }

    private static ServerDescription bare(
            ServerAddress address, ServerType type, @Nullable Throwable error, @Nullable TopologyVersion version) {
        return new ServerDescription(
                address,
                type,
                error,
                null,
                Duration.ZERO,
                Duration.ZERO,
                null,
                0,
                type == ServerType.LOAD_BALANCER ? MAX_WIRE_VERSION : 0,
                null,
                Set.of(),
                Set.of(),
                Set.of(),
                Map.of(),
                null,
                null,
                null,
                null,
                null,
                version);
    }

    /** From an answer to hello. One that cannot be understood is a {@link MongoClientException}. */
    public static ServerDescription of(
            ServerAddress address, BsonDocument hello, @Nullable Duration roundTrip, Duration now) {
        try {
            return understood(address, hello, roundTrip, now);
        } catch (BSONException | IllegalArgumentException e) {
            throw new MongoClientException(
                    "The answer of " + address + " to hello cannot be understood: " + e.getMessage(), e);
        }
    }

    private static ServerDescription understood(
            ServerAddress address, BsonDocument hello, @Nullable Duration roundTrip, Duration now) {
        if (hello.getNumber("ok", ZERO).intValue() != 1) {
            return unknown(address, null, TopologyVersion.of(hello));
        }
        String primary = string(hello, "primary");
        return new ServerDescription(
                address,
                type(hello),
                null,
                roundTrip,
                Duration.ZERO,
                now,
                lastWrite(hello),
                hello.getNumber("minWireVersion", ZERO).intValue(),
                hello.getNumber("maxWireVersion", ZERO).intValue(),
                hello.isString("me") ? new ServerAddress(hello.getString("me").getValue()) : null,
                addresses(hello, "hosts"),
                addresses(hello, "passives"),
                addresses(hello, "arbiters"),
                tags(hello),
                string(hello, "setName"),
                hello.isNumber("setVersion") ? hello.getNumber("setVersion").intValue() : null,
                hello.isObjectId("electionId") ? hello.getObjectId("electionId").getValue() : null,
                primary == null || primary.isEmpty() ? null : new ServerAddress(primary),
                hello.isNumber("logicalSessionTimeoutMinutes")
                        ? hello.getNumber("logicalSessionTimeoutMinutes").intValue()
                        : null,
                TopologyVersion.of(hello));
    }

    private static ServerType type(BsonDocument hello) {
        if (isTrue(hello, "isreplicaset")) {
            return ServerType.RS_GHOST;
        }
        if (hello.containsKey("setName")) {
            if (isTrue(hello, "hidden")) {
                return ServerType.RS_OTHER;
            }
            if (isTrue(hello, "isWritablePrimary") || isTrue(hello, "ismaster")) {
                return ServerType.RS_PRIMARY;
            }
            if (isTrue(hello, "secondary")) {
                return ServerType.RS_SECONDARY;
            }
            return isTrue(hello, "arbiterOnly") ? ServerType.RS_ARBITER : ServerType.RS_OTHER;
        }
        return "isdbgrid".equals(string(hello, "msg")) ? ServerType.MONGOS : ServerType.STANDALONE;
    }

    private static boolean isTrue(BsonDocument hello, String name) {
        return hello.get(name, BsonBoolean.FALSE).equals(BsonBoolean.TRUE);
    }

    private static @Nullable String string(BsonDocument hello, String name) {
        BsonValue value = hello.get(name);
        return value instanceof BsonString string ? string.getValue() : null;
    }

    private static @Nullable Instant lastWrite(BsonDocument hello) {
        if (!hello.isDocument("lastWrite")) {
            return null;
        }
        BsonDocument lastWrite = hello.getDocument("lastWrite");
        if (lastWrite.isDateTime("lastWriteDate")) {
            return Instant.ofEpochMilli(lastWrite.getDateTime("lastWriteDate").getValue());
        }
        return null;
    }

    private static Set<ServerAddress> addresses(BsonDocument hello, String name) {
        var result = new LinkedHashSet<ServerAddress>();
        if (hello.isArray(name)) {
            hello.getArray(name)
                    .forEach(
                            each -> result.add(new ServerAddress(each.asString().getValue())));
        }
        return result;
    }

    private static Map<String, String> tags(BsonDocument hello) {
        var result = new LinkedHashMap<String, String>();
        if (hello.isDocument("tags")) {
            hello.getDocument("tags")
                    .forEach((name, value) -> result.put(name, value.asString().getValue()));
        }
        return result;
    }

    public ServerDescription withType(ServerType other) {
        return with(other, roundTripTime, minRoundTripTime);
    }

    public ServerDescription withRoundTripTime(@Nullable Duration average, Duration minimum) {
        return with(type, average, minimum);
    }

    private ServerDescription with(ServerType other, @Nullable Duration average, Duration minimum) {
        return new ServerDescription(
                address,
                other,
                error,
                average,
                minimum,
                lastUpdate,
                lastWriteDate,
                minWireVersion,
                maxWireVersion,
                me,
                hosts,
                passives,
                arbiters,
                tags,
                setName,
                setVersion,
                electionId,
                primary,
                logicalSessionTimeoutMinutes,
                topologyVersion);
    }

    /** All members in its reply. */
    public Set<ServerAddress> members() {
        var all = new LinkedHashSet<>(hosts);
        all.addAll(passives);
        all.addAll(arbiters);
        return all;
    }

    public boolean isCompatible() {
        return type == ServerType.UNKNOWN
                || type == ServerType.POSSIBLE_PRIMARY
                || (minWireVersion <= MAX_WIRE_VERSION && maxWireVersion >= MIN_WIRE_VERSION);
    }

    /** Says the same about the server, whatever the time it was said and how long that took. */
    public boolean saysSameAs(ServerDescription other) {
        return address.equals(other.address)
                && type == other.type
                && minWireVersion == other.minWireVersion
                && maxWireVersion == other.maxWireVersion
                && Objects.equals(me, other.me)
                && hosts.equals(other.hosts)
                && passives.equals(other.passives)
                && arbiters.equals(other.arbiters)
                && tags.equals(other.tags)
                && Objects.equals(setName, other.setName)
                && Objects.equals(setVersion, other.setVersion)
                && Objects.equals(electionId, other.electionId)
                && Objects.equals(primary, other.primary)
                && Objects.equals(logicalSessionTimeoutMinutes, other.logicalSessionTimeoutMinutes)
                && Objects.equals(topologyVersion, other.topologyVersion)
                && Objects.equals(errorText(), other.errorText());
    }

    private @Nullable String errorText() {
        return error == null ? null : error.toString();
    }

    @Override
    public String toString() {
        var text = new StringBuilder("{address=" + address + ", type=" + type.label());
        if (roundTripTime != null) {
            text.append(String.format(Locale.ROOT, ", roundTripTime=%.1f ms", roundTripTime.toNanos() / 1e6));
        }
        if (error != null) {
            text.append(", error=").append(error);
        }
        return text.append('}').toString();
    }
}
