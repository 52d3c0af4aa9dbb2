package dev.semel.conformance.official;

import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Servers and topologies in the words of the specifications. */
final class Descriptions {
    private Descriptions() {}

    static BsonDocument server(ServerDescription description) {
        String type = switch (description.getType()) {
            case STANDALONE -> "Standalone";
            case REPLICA_SET_PRIMARY -> "RSPrimary";
            case REPLICA_SET_SECONDARY -> "RSSecondary";
            case REPLICA_SET_ARBITER -> "RSArbiter";
            case REPLICA_SET_OTHER -> "RSOther";
            case REPLICA_SET_GHOST -> "RSGhost";
            case SHARD_ROUTER -> "Mongos";
            case LOAD_BALANCER -> "LoadBalancer";
            case UNKNOWN -> "Unknown";
        };
        return new BsonDocument("type", new BsonString(type));
    }

    static BsonDocument cluster(ClusterDescription description) {
        var servers = description.getServerDescriptions();
        var primary = servers.stream()
                .filter(each -> each.getType() == com.mongodb.connection.ServerType.REPLICA_SET_PRIMARY)
                .findFirst();
        String type = switch (description.getType()) {
            case STANDALONE -> "Single";
            case REPLICA_SET ->
                description.getConnectionMode() == ClusterConnectionMode.SINGLE
                        ? "Single"
                        : primary.isPresent() ? "ReplicaSetWithPrimary" : "ReplicaSetNoPrimary";
            case SHARDED -> "Sharded";
            case LOAD_BALANCED -> "LoadBalanced";
            case UNKNOWN -> "Unknown";
        };
        BsonDocument result = new BsonDocument("type", new BsonString(type));
        primary.ifPresent(
                each -> result.put("primary", new BsonString(each.getAddress().toString())));
        return result;
    }
}
