package dev.semel.conformance.adapter;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * How a client is opened.
 *
 * @param uri with all options of the case
 * @param serverApi {@code version}, {@code strict} and {@code deprecationErrors}
 * @param wantsLogs whether the listener is to hear log messages
 * @param isHeartbeatGiven whether the case chose the heartbeat; if not, a short one saves waiting
 */
public record ClientOptions(
        String uri, @Nullable BsonDocument serverApi, boolean wantsLogs, boolean isHeartbeatGiven) {}
