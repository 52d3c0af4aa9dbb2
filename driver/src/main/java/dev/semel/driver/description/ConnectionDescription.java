package dev.semel.driver.description;

import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/** What the handshake on one connection said about the server behind it. */
public record ConnectionDescription(
        ConnectionId id,
        ServerType serverType,
        int maxWireVersion,
        int maxDocumentBytes,
        int maxMessageBytes,
        int maxBatchCount,
        @Nullable Integer logicalSessionTimeoutMinutes,
        @Nullable ObjectId serviceId) {
    /** Whether the server supports sessions, without which it does not recognise the retry of a write. */
    public boolean supportsRetryableWrites() {
        return (logicalSessionTimeoutMinutes != null && serverType != ServerType.STANDALONE)
                || serverType == ServerType.LOAD_BALANCER;
    }

    public boolean supportsSessions() {
        return logicalSessionTimeoutMinutes != null || serverType == ServerType.LOAD_BALANCER;
    }
}
