package dev.semel.driver.description;

import dev.semel.driver.setting.ServerAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** The description of all servers. */
public record TopologyDescription(
        TopologyType type,
        @Nullable String setName,
        @Nullable Integer maxSetVersion,
        @Nullable ObjectId maxElectionId,
        Map<ServerAddress, ServerDescription> byAddress) {
    public static final TopologyDescription EMPTY =
            new TopologyDescription(TopologyType.UNKNOWN, null, null, null, Map.of());

    public TopologyDescription {
        byAddress = Collections.unmodifiableMap(new LinkedHashMap<>(byAddress));
    }

    public Collection<ServerDescription> servers() {
        return byAddress.values();
    }

    public @Nullable ServerDescription server(ServerAddress address) {
        return byAddress.get(address);
    }

    /** The shortest of those that bear data; null as soon as one of them has none: sessions are not supported then. */
    public @Nullable Integer logicalSessionTimeoutMinutes() {
        Integer shortest = null;
        for (var each : servers()) {
            if (!each.type().isDataBearing()) {
                continue;
            }
            Integer minutes = each.logicalSessionTimeoutMinutes();
            if (minutes == null) {
                return null;
            }
            shortest = shortest == null ? minutes : Integer.valueOf(Math.min(shortest, minutes));
        }
        return shortest;
    }

    /** The reason why a server is incompatible with this driver; null if all are compatible. */
    public @Nullable String incompatibility() {
        for (var each : servers()) {
            if (each.isCompatible()) {
                continue;
            }
            return each.minWireVersion() > ServerDescription.MAX_WIRE_VERSION
                    ? "Server at " + each.address() + " requires wire version " + each.minWireVersion()
                            + ", but this version of the driver only supports up to "
                            + ServerDescription.MAX_WIRE_VERSION + "."
                    : "Server at " + each.address() + " reports wire version " + each.maxWireVersion()
                            + ", but this version of the driver requires at least "
                            + ServerDescription.MIN_WIRE_VERSION + " (MongoDB 4.2).";
        }
        return null;
    }

    public boolean hasWritableServer() {
        return servers().stream().anyMatch(each -> each.type().isWritable());
    }

    /** Says the same about every server, whatever the time it was said. */
    public boolean saysSameAs(TopologyDescription other) {
        return type == other.type
                && Objects.equals(setName, other.setName)
                && byAddress.keySet().equals(other.byAddress.keySet())
                && byAddress.values().stream().allMatch(each -> {
                    var its = other.byAddress.get(each.address());
                    return its != null && each.saysSameAs(its);
                });
    }

    @Override
    public String toString() {
        return "{type=" + type.label() + (setName == null ? "" : ", setName=" + setName) + ", servers=" + servers()
                + "}";
    }
}
