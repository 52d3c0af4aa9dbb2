package dev.semel.driver.setting;

import java.time.Duration;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/** How a session behaves. Causally consistent unless it reads from a snapshot; the two exclude each other. */
public record ClientSessionOptions(
        @Nullable Boolean causallyConsistent,
        boolean snapshot,
        @Nullable BsonTimestamp snapshotTime,
        TransactionOptions defaultTransactionOptions,
        @Nullable Duration defaultTimeout) {
    public static final ClientSessionOptions DEFAULT =
            new ClientSessionOptions(null, false, null, TransactionOptions.DEFAULT, null);

    public ClientSessionOptions {
        if (snapshot && Boolean.TRUE.equals(causallyConsistent)) {
            throw new IllegalArgumentException("A session is either causally consistent or reads from a snapshot");
        }
        if (snapshotTime != null && !snapshot) {
            throw new IllegalArgumentException("snapshotTime needs snapshot");
        }
    }

    public boolean isCausallyConsistent() {
        return causallyConsistent == null ? !snapshot : causallyConsistent;
    }

    public ClientSessionOptions withCausallyConsistent(boolean value) {
        return new ClientSessionOptions(value, snapshot, snapshotTime, defaultTransactionOptions, defaultTimeout);
    }

    public ClientSessionOptions withSnapshot(boolean value) {
        return new ClientSessionOptions(
                causallyConsistent, value, snapshotTime, defaultTransactionOptions, defaultTimeout);
    }

    public ClientSessionOptions withSnapshotTime(@Nullable BsonTimestamp value) {
        return new ClientSessionOptions(causallyConsistent, snapshot, value, defaultTransactionOptions, defaultTimeout);
    }

    public ClientSessionOptions withDefaultTransactionOptions(TransactionOptions value) {
        return new ClientSessionOptions(causallyConsistent, snapshot, snapshotTime, value, defaultTimeout);
    }

    public ClientSessionOptions withDefaultTimeout(@Nullable Duration value) {
        return new ClientSessionOptions(causallyConsistent, snapshot, snapshotTime, defaultTransactionOptions, value);
    }
}
