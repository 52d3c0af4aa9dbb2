package dev.semel.driver.description;

import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** Orders what one process of a server says about itself. */
public record TopologyVersion(ObjectId processId, long counter) {
    /** Null where the answer has none, or none that can be understood. */
    public static @Nullable TopologyVersion of(BsonDocument reply) {
        if (!reply.isDocument("topologyVersion")) {
            return null;
        }
        BsonDocument version = reply.getDocument("topologyVersion");
        return version.isObjectId("processId") && version.isNumber("counter")
                ? new TopologyVersion(
                        version.getObjectId("processId").getValue(),
                        version.getNumber("counter").longValue())
                : null;
    }

    /** Negative where this is older than the other, also where nothing is known of the one or of another process. */
    public static int compare(@Nullable TopologyVersion left, @Nullable TopologyVersion right) {
        if (left == null || right == null || !left.processId.equals(right.processId)) {
            return -1;
        }
        return Long.compare(left.counter, right.counter);
    }

    public BsonDocument toDocument() {
        return new BsonDocument("processId", new BsonObjectId(processId)).append("counter", new BsonInt64(counter));
    }
}
