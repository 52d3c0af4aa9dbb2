package dev.semel.driver.topology;

import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.description.TopologyType;
import dev.semel.driver.description.TopologyVersion;
import dev.semel.driver.setting.ServerAddress;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Server discovery, as a function from the description of the topology and the new description of one server to the next
 * description of the topology. It has no side effects, so tests are tables.
 */
public final class TopologyMachine {
    private TopologyMachine() {}

    /** The description before the first reply of a server, made of the settings. */
    public static TopologyDescription initial(
            List<ServerAddress> seeds,
            @Nullable String setName,
            @Nullable Boolean directConnection,
            boolean loadBalanced) {
        Map<ServerAddress, ServerDescription> servers = new LinkedHashMap<>();
        for (ServerAddress each : seeds) {
            servers.put(each, ServerDescription.unknown(each));
        }
        return new TopologyDescription(
                initialType(setName, directConnection, loadBalanced), setName, null, null, servers);
    }

    private static TopologyType initialType(
            @Nullable String setName, @Nullable Boolean directConnection, boolean loadBalanced) {
        if (loadBalanced) {
            return TopologyType.LOAD_BALANCED;
        }
        if (Boolean.TRUE.equals(directConnection)) {
            return TopologyType.SINGLE;
        }
        return setName == null ? TopologyType.UNKNOWN : TopologyType.REPLICA_SET_NO_PRIMARY;
    }

    /** The next description. That of a server that is no longer part of the topology, or that is outdated, changes nothing. */
    public static TopologyDescription apply(TopologyDescription before, ServerDescription news) {
        ServerDescription known = before.server(news.address());
        if (known == null || isOutdated(known, news)) {
            return before;
        }
        var next = new Step(before);
        next.servers.put(news.address(), news);
        switch (before.type()) {
            case SINGLE -> next.checkSetNameOfSingle(news);
            case UNKNOWN -> next.whileUnknown(news, before.servers().size());
            case SHARDED -> next.whileSharded(news);
            case REPLICA_SET_NO_PRIMARY -> next.withoutPrimary(news);
            case REPLICA_SET_WITH_PRIMARY -> next.withPrimary(news);
            case LOAD_BALANCED -> {}
        }
        return next.description();
    }

    /** The description for a new seed list. The descriptions of servers that remain are kept. */
    public static TopologyDescription withSeeds(TopologyDescription before, List<ServerAddress> seeds) {
        var next = new Step(before);
        next.servers.keySet().retainAll(seeds);
        next.addMissing(Set.copyOf(seeds));
        return next.description();
    }

    /** Whether a newer description is known. One with an equal version is not outdated: it is the same state, checked again. */
    static boolean isOutdated(ServerDescription known, ServerDescription news) {
        return TopologyVersion.compare(known.topologyVersion(), news.topologyVersion()) > 0;
    }

    /** A description that is being changed into the next one. */
    private static final class Step {
        private TopologyType type;
        private @Nullable String setName;
        private @Nullable Integer maxSetVersion;
        private @Nullable ObjectId maxElectionId;
        private final Map<ServerAddress, ServerDescription> servers;

        Step(TopologyDescription before) {
            type = before.type();
            setName = before.setName();
            maxSetVersion = before.maxSetVersion();
            maxElectionId = before.maxElectionId();
            servers = new LinkedHashMap<>(before.byAddress());
        }

        TopologyDescription description() {
            return new TopologyDescription(type, setName, maxSetVersion, maxElectionId, servers);
        }

        void checkSetNameOfSingle(ServerDescription news) {
            if (setName != null && news.type() != ServerType.UNKNOWN && !setName.equals(news.setName())) {
                servers.put(
                        news.address(),
                        ServerDescription.unknown(
                                news.address(),
                                new IllegalStateException("Expected replica set name '" + setName + "' but found "
                                        + (news.setName() == null ? "none" : "'" + news.setName() + "'")),
                                null));
            }
        }

        void whileUnknown(ServerDescription news, int serverCount) {
            switch (news.type()) {
                case STANDALONE -> {
                    // A standalone among several seeds is no member of anything the seeds could be together.
                    if (serverCount == 1) {
                        type = TopologyType.SINGLE;
                    } else {
                        servers.remove(news.address());
                    }
                }
                case MONGOS -> type = TopologyType.SHARDED;
                case RS_PRIMARY -> updateFromPrimary(news);
                case RS_SECONDARY, RS_ARBITER, RS_OTHER -> {
                    type = TopologyType.REPLICA_SET_NO_PRIMARY;
                    updateWithoutPrimary(news);
                }
                case UNKNOWN, POSSIBLE_PRIMARY, RS_GHOST, LOAD_BALANCER -> {}
            }
        }

        void whileSharded(ServerDescription news) {
            if (news.type() != ServerType.MONGOS && news.type() != ServerType.UNKNOWN) {
                servers.remove(news.address());
            }
        }

        void withoutPrimary(ServerDescription news) {
            switch (news.type()) {
                case STANDALONE, MONGOS -> servers.remove(news.address());
                case RS_PRIMARY -> updateFromPrimary(news);
                case RS_SECONDARY, RS_ARBITER, RS_OTHER -> updateWithoutPrimary(news);
                case UNKNOWN, POSSIBLE_PRIMARY, RS_GHOST, LOAD_BALANCER -> {}
            }
        }

        void withPrimary(ServerDescription news) {
            switch (news.type()) {
                case STANDALONE, MONGOS -> {
                    servers.remove(news.address());
                    checkHasPrimary();
                }
                case RS_PRIMARY -> updateFromPrimary(news);
                case RS_SECONDARY, RS_ARBITER, RS_OTHER -> {
                    updateWithPrimary(news);
                }
                case UNKNOWN, POSSIBLE_PRIMARY, RS_GHOST, LOAD_BALANCER -> checkHasPrimary();
            }
        }

        /** A member replies and no primary is known: it may add members, and name the one that it takes for the primary. */
        private void updateWithoutPrimary(ServerDescription news) {
            if (setName == null) {
                setName = news.setName();
            } else if (!setName.equals(news.setName())) {
                servers.remove(news.address());
                return;
            }
            addMissing(news.members());
            if (isUnderAnotherName(news)) {
                servers.remove(news.address());
                return;
            }
            markPossiblePrimary(news);
        }

        private void updateWithPrimary(ServerDescription news) {
            boolean isStranger = setName != null && !setName.equals(news.setName());
            if (isStranger || isUnderAnotherName(news)) {
                servers.remove(news.address());
                checkHasPrimary();
                return;
            }
            checkHasPrimary();
            if (type == TopologyType.REPLICA_SET_NO_PRIMARY) {
                markPossiblePrimary(news);
            }
        }

        private void updateFromPrimary(ServerDescription news) {
            if (setName == null) {
                setName = news.setName();
            } else if (!setName.equals(news.setName())) {
                servers.remove(news.address());
                checkHasPrimary();
                return;
            }
            if (isStalePrimary(news)) {
                servers.put(
                        news.address(),
                        ServerDescription.unknown(
                                news.address(),
                                new IllegalStateException("primary marked stale due to electionId/setVersion mismatch"),
                                null));
                checkHasPrimary();
                return;
            }
            for (ServerDescription each : List.copyOf(servers.values())) {
                if (each.type() == ServerType.RS_PRIMARY && !each.address().equals(news.address())) {
                    // Two servers claim to be primary: the newer reply counts, and the other server is checked again.
                    servers.put(
                            each.address(),
                            ServerDescription.unknown(
                                    each.address(),
                                    new IllegalStateException("primary marked stale due to discovery of newer primary"),
                                    null));
                }
            }
            addMissing(news.members());
            Set<ServerAddress> members = news.members();
            servers.keySet().retainAll(members);
            checkHasPrimary();
        }

        /** Whether another primary was elected later; otherwise this one's term is the latest from now on. */
        private boolean isStalePrimary(ServerDescription news) {
            if (news.maxWireVersion() >= 17) {
                int byElection = Comparator.nullsFirst(Comparator.<ObjectId>naturalOrder())
                        .compare(news.electionId(), maxElectionId);
                int bySetVersion = Comparator.nullsFirst(Comparator.<Integer>naturalOrder())
                        .compare(news.setVersion(), maxSetVersion);
                if (byElection < 0 || (byElection == 0 && bySetVersion < 0)) {
                    return true;
                }
                maxElectionId = news.electionId();
                maxSetVersion = news.setVersion();
                return false;
            }
            // Older servers compare the other way round.
            Integer setVersion = news.setVersion();
            ObjectId electionId = news.electionId();
            if (setVersion != null && electionId != null) {
                if (maxSetVersion != null
                        && maxElectionId != null
                        && (maxSetVersion > setVersion
                                || (maxSetVersion.equals(setVersion) && maxElectionId.compareTo(electionId) > 0))) {
                    return true;
                }
                maxElectionId = electionId;
            }
            if (setVersion != null && (maxSetVersion == null || setVersion > maxSetVersion)) {
                maxSetVersion = setVersion;
            }
            return false;
        }

        private void addMissing(Set<ServerAddress> members) {
            for (ServerAddress each : members) {
                servers.putIfAbsent(each, ServerDescription.unknown(each));
            }
        }

        private static boolean isUnderAnotherName(ServerDescription news) {
            return news.me() != null && !news.address().equals(news.me());
        }

        private void markPossiblePrimary(ServerDescription news) {
            ServerAddress named = news.primary();
            ServerDescription server = named == null ? null : servers.get(named);
            if (server != null && server.type() == ServerType.UNKNOWN) {
                servers.put(server.address(), server.withType(ServerType.POSSIBLE_PRIMARY));
            }
        }

        private void checkHasPrimary() {
            boolean hasPrimary = servers.values().stream().anyMatch(each -> each.type() == ServerType.RS_PRIMARY);
            type = hasPrimary ? TopologyType.REPLICA_SET_WITH_PRIMARY : TopologyType.REPLICA_SET_NO_PRIMARY;
        }
    }
}
