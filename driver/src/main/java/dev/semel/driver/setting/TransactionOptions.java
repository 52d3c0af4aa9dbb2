package dev.semel.driver.setting;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Options of a transaction. What is null comes from the session's default, then from the client. */
public record TransactionOptions(
        @Nullable ReadConcern readConcern,
        @Nullable WriteConcern writeConcern,
        @Nullable ReadPreference readPreference,
        @Nullable Duration maxCommitTime,
        @Nullable Duration timeout) {
    public static final TransactionOptions DEFAULT = new TransactionOptions(null, null, null, null, null);

    public static Builder builder() {
        return new Builder();
    }

    public TransactionOptions withReadConcern(@Nullable ReadConcern value) {
        return new TransactionOptions(value, writeConcern, readPreference, maxCommitTime, timeout);
    }

    public TransactionOptions withWriteConcern(@Nullable WriteConcern value) {
        return new TransactionOptions(readConcern, value, readPreference, maxCommitTime, timeout);
    }

    public TransactionOptions withReadPreference(@Nullable ReadPreference value) {
        return new TransactionOptions(readConcern, writeConcern, value, maxCommitTime, timeout);
    }

    public TransactionOptions withMaxCommitTime(@Nullable Duration value) {
        return new TransactionOptions(readConcern, writeConcern, readPreference, value, timeout);
    }

    public TransactionOptions withTimeout(@Nullable Duration value) {
        return new TransactionOptions(readConcern, writeConcern, readPreference, maxCommitTime, value);
    }

    /** These options, and the others for what is null here. */
    public TransactionOptions orElse(TransactionOptions others) {
        return new TransactionOptions(
                readConcern == null ? others.readConcern : readConcern,
                writeConcern == null ? others.writeConcern : writeConcern,
                readPreference == null ? others.readPreference : readPreference,
                maxCommitTime == null ? others.maxCommitTime : maxCommitTime,
                timeout == null ? others.timeout : timeout);
    }

    public @Nullable ReadConcern getReadConcern() {
        return readConcern;
    }

    public @Nullable WriteConcern getWriteConcern() {
        return writeConcern;
    }

    public @Nullable ReadPreference getReadPreference() {
        return readPreference;
    }

    /** Builder; not thread-safe. */
    public static final class Builder {
        private TransactionOptions options = DEFAULT;

        private Builder() {}

        public Builder readConcern(@Nullable ReadConcern value) {
            options = options.withReadConcern(value);
            return this;
        }

        public Builder writeConcern(@Nullable WriteConcern value) {
            options = options.withWriteConcern(value);
            return this;
        }

        public Builder readPreference(@Nullable ReadPreference value) {
            options = options.withReadPreference(value);
            return this;
        }

        public Builder maxCommitTime(@Nullable Long value, TimeUnit unit) {
            options = options.withMaxCommitTime(value == null ? null : Duration.of(value, unit.toChronoUnit()));
            return this;
        }

        public Builder timeout(@Nullable Long value, TimeUnit unit) {
            options = options.withTimeout(value == null ? null : Duration.of(value, unit.toChronoUnit()));
            return this;
        }

        public TransactionOptions build() {
            return options;
        }
    }
}
