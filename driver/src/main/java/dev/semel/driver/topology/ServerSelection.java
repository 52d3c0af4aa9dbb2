package dev.semel.driver.topology;

import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerSelector;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;

/** Which servers suit an operation, as a function of what is known and what is asked. */
public final class ServerSelection {
    /** A primary writes at least this often, so that a secondary's lag can be distinguished from an idle set. */
    private static final Duration IDLE_WRITE_PERIOD = Duration.ofSeconds(10);

    private static final Duration MAX_STALENESS_MIN = Duration.ofSeconds(90);

    /** What an operation asks for: a server that takes writes, one its read preference allows, or the router it began with. */
    public sealed interface Criterion {
        record Writable() implements Criterion {}

        record ByPreference(ReadPreference preference) implements Criterion {}

        record ByAddress(ServerAddress address) implements Criterion {}
    }

    private ServerSelection() {}

    /** All servers that suit, those to be avoided only where no other does. */
    public static List<ServerDescription> suitable(
            TopologyDescription topology,
            Criterion criterion,
            Collection<ServerAddress> avoided,
            Duration heartbeatFrequency) {
        if (criterion instanceof Criterion.ByPreference reading) {
            checkStaleness(topology, reading.preference(), heartbeatFrequency);
        }
        List<ServerDescription> all = List.copyOf(topology.servers());
        if (!avoided.isEmpty()) {
            var others = all.stream()
                    .filter(each -> !avoided.contains(each.address()))
                    .toList();
            var suitable = suitable(topology, others, criterion, heartbeatFrequency);
            if (!suitable.isEmpty()) {
                return suitable;
            }
        }
        return suitable(topology, all, criterion, heartbeatFrequency);
    }

    /** Of the suitable servers those that the application chooses; any other that it names is none of them. */
    static List<ServerDescription> selected(
            TopologyDescription topology, List<ServerDescription> suitable, ServerSelector selector) {
        var byAddress = new LinkedHashMap<ServerAddress, ServerDescription>();
        suitable.forEach(each -> byAddress.put(each.address(), each));
        var chosen = selector.select(new TopologyDescription(
                topology.type(), topology.setName(), topology.maxSetVersion(), topology.maxElectionId(), byAddress));
        return suitable.stream().filter(chosen::contains).toList();
    }

    /** Of the suitable servers those that answer about as fast as the fastest. */
    public static List<ServerDescription> inLatencyWindow(List<ServerDescription> suitable, Duration localThreshold) {
        if (suitable.size() < 2) {
            return suitable;
        }
        Duration fastest = null;
        for (var each : suitable) {
            Duration time = roundTrip(each);
            fastest = fastest == null || time.compareTo(fastest) < 0 ? time : fastest;
        }
        Duration limit = fastest == null ? localThreshold : fastest.plus(localThreshold);
        return suitable.stream()
                .filter(each -> roundTrip(each).compareTo(limit) <= 0)
                .toList();
    }

    /** Of two servers drawn by chance the one with fewer operations under way. */
    public static ServerDescription lessBusy(
            List<ServerDescription> inWindow, ToIntFunction<ServerAddress> operationCount, RandomGenerator random) {
        if (inWindow.size() == 1) {
            return inWindow.getFirst();
        }
        int first = random.nextInt(inWindow.size());
        int second = random.nextInt(inWindow.size() - 1);
        if (second >= first) {
            second++;
        }
        var one = inWindow.get(first);
        var other = inWindow.get(second);
        return operationCount.applyAsInt(one.address()) <= operationCount.applyAsInt(other.address()) ? one : other;
    }

    private static Duration roundTrip(ServerDescription server) {
        Duration time = server.roundTripTime();
        return time == null ? Duration.ZERO : time;
    }

    private static List<ServerDescription> suitable(
            TopologyDescription topology,
            List<ServerDescription> servers,
            Criterion criterion,
            Duration heartbeatFrequency) {
        return switch (topology.type()) {
            case UNKNOWN -> List.of();
            case SINGLE, LOAD_BALANCED ->
                servers.stream()
                        .filter(each -> each.type() != ServerType.UNKNOWN)
                        .toList();
            case SHARDED -> routers(servers, criterion);
            case REPLICA_SET_NO_PRIMARY, REPLICA_SET_WITH_PRIMARY ->
                switch (criterion) {
                    case Criterion.Writable() -> ofType(servers, ServerType.RS_PRIMARY);
                    case Criterion.ByPreference(var preference) -> members(servers, preference, heartbeatFrequency);
                    case Criterion.ByAddress(var address) -> at(address, servers);
                };
        };
    }

    private static List<ServerDescription> routers(List<ServerDescription> servers, Criterion criterion) {
        var routers = ofType(servers, ServerType.MONGOS);
        return criterion instanceof Criterion.ByAddress(var address) ? at(address, routers) : routers;
    }

    private static List<ServerDescription> at(ServerAddress address, List<ServerDescription> servers) {
        return servers.stream().filter(each -> each.address().equals(address)).toList();
    }

    private static List<ServerDescription> members(
            List<ServerDescription> servers, ReadPreference preference, Duration heartbeatFrequency) {
        var primaries = ofType(servers, ServerType.RS_PRIMARY);
        return switch (preference.mode()) {
            case PRIMARY -> primaries;
            case PRIMARY_PREFERRED ->
                primaries.isEmpty() ? secondaries(servers, preference, heartbeatFrequency) : primaries;
            case SECONDARY -> secondaries(servers, preference, heartbeatFrequency);
            case SECONDARY_PREFERRED -> {
                var secondaries = secondaries(servers, preference, heartbeatFrequency);
                yield secondaries.isEmpty() ? primaries : secondaries;
            }
            case NEAREST -> {
                var members = new ArrayList<>(primaries);
                members.addAll(ofType(servers, ServerType.RS_SECONDARY));
                yield tagged(freshEnough(servers, members, preference, heartbeatFrequency), preference);
            }
        };
    }

    private static List<ServerDescription> secondaries(
            List<ServerDescription> servers, ReadPreference preference, Duration heartbeatFrequency) {
        var secondaries = ofType(servers, ServerType.RS_SECONDARY);
        return tagged(freshEnough(servers, secondaries, preference, heartbeatFrequency), preference);
    }

    private static List<ServerDescription> ofType(List<ServerDescription> servers, ServerType type) {
        return servers.stream().filter(each -> each.type() == type).toList();
    }

    private static List<ServerDescription> tagged(List<ServerDescription> servers, ReadPreference preference) {
        if (preference.tagSets().isEmpty()) {
            return servers;
        }
        for (Map<String, String> tags : preference.tagSets()) {
            var matching = servers.stream()
                    .filter(each -> each.tags().entrySet().containsAll(tags.entrySet()))
                    .toList();
            if (!matching.isEmpty()) {
                return matching;
            }
        }
        return List.of();
    }

    private static List<ServerDescription> freshEnough(
            List<ServerDescription> servers,
            List<ServerDescription> candidates,
            ReadPreference preference,
            Duration heartbeatFrequency) {
        Duration maxStaleness = preference.maxStaleness();
        if (maxStaleness == null || maxStaleness.isZero()) {
            return candidates;
        }
        return candidates.stream()
                .filter(each -> staleness(each, servers, heartbeatFrequency).compareTo(maxStaleness) <= 0)
                .toList();
    }

    /** How far a member is behind the primary, or behind the freshest secondary where no primary is known. */
    private static Duration staleness(
            ServerDescription member, List<ServerDescription> servers, Duration heartbeatFrequency) {
        if (member.type() == ServerType.RS_PRIMARY) {
            return Duration.ZERO;
        }
        var primaries = ofType(servers, ServerType.RS_PRIMARY);
        if (!primaries.isEmpty()) {
            var primary = primaries.getFirst();
            return member.lastUpdate()
                    .minus(written(member))
                    .minus(primary.lastUpdate().minus(written(primary)))
                    .plus(heartbeatFrequency);
        }
        Duration freshest = ofType(servers, ServerType.RS_SECONDARY).stream()
                .map(ServerSelection::written)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        return freshest.minus(written(member)).plus(heartbeatFrequency);
    }

    private static Duration written(ServerDescription server) {
        var date = server.lastWriteDate();
        return date == null ? Duration.ZERO : Duration.ofMillis(date.toEpochMilli());
    }

    private static void checkStaleness(
            TopologyDescription topology, ReadPreference preference, Duration heartbeatFrequency) {
        Duration maxStaleness = preference.maxStaleness();
        if (maxStaleness == null || !topology.type().isReplicaSet()) {
            return;
        }
        Duration least = heartbeatFrequency.plus(IDLE_WRITE_PERIOD);
        if (maxStaleness.compareTo(MAX_STALENESS_MIN) < 0 || maxStaleness.compareTo(least) < 0) {
            throw new MongoConfigurationException("maxStalenessSeconds must be at least "
                    + MAX_STALENESS_MIN.toSeconds() + " and at least heartbeatFrequencyMS + "
                    + IDLE_WRITE_PERIOD.toMillis() + " ms (" + least.toMillis() + " ms), found "
                    + maxStaleness.toMillis() + " ms");
        }
    }
}
