package dev.semel.conformance.own;

import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyDescription;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Servers and topologies in the words of the specifications. */
final class Descriptions {
    private Descriptions() {}

    static BsonDocument server(ServerDescription description) {
        // Only discovery distinguishes a possible primary from an unknown member.
        ServerType type = description.type() == ServerType.POSSIBLE_PRIMARY ? ServerType.UNKNOWN : description.type();
        return new BsonDocument("type", new BsonString(type.label()));
    }

    static BsonDocument topology(TopologyDescription description) {
        BsonDocument result =
                new BsonDocument("type", new BsonString(description.type().label()));
        description.servers().stream()
                .filter(each -> each.type() == ServerType.RS_PRIMARY)
                .findFirst()
                .ifPresent(each ->
                        result.put("primary", new BsonString(each.address().toString())));
        return result;
    }
}
