package dev.semel.driver.setting;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.BsonTimestamp;
import org.jspecify.annotations.Nullable;

/** Options of a session. It is causally consistent unless it is a snapshot session; the two exclude each other. */
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

    public static Builder builder() {
        return new Builder();
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

    /** Builder; not thread-safe. */
    public static final class Builder {
        private ClientSessionOptions options = DEFAULT;

        private Builder() {}

        public Builder causallyConsistent(boolean value) {
            options = options.withCausallyConsistent(value);
            return this;
        }

        public Builder snapshot(boolean value) {
            options = options.withSnapshot(value);
            return this;
        }

        public Builder defaultTransactionOptions(TransactionOptions value) {
            options = options.withDefaultTransactionOptions(value);
            return this;
        }

        public Builder defaultTimeout(long value, TimeUnit unit) {
            options = options.withDefaultTimeout(Duration.of(value, unit.toChronoUnit()));
            return this;
        }

        public ClientSessionOptions build() {
            return options;
        }
    }
}
