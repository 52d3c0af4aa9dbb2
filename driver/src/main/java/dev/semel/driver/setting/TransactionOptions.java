package dev.semel.driver.setting;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a transaction runs. What is null comes from the session's default, then from the client. */
public record TransactionOptions(
        @Nullable ReadConcern readConcern,
        @Nullable WriteConcern writeConcern,
        @Nullable ReadPreference readPreference,
        @Nullable Duration maxCommitTime,
        @Nullable Duration timeout) {
    public static final TransactionOptions DEFAULT = new TransactionOptions(null, null, null, null, null);

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

    /** These, and where they are silent, the others. */
    public TransactionOptions orElse(TransactionOptions others) {
        return new TransactionOptions(
                readConcern == null ? others.readConcern : readConcern,
                writeConcern == null ? others.writeConcern : writeConcern,
                readPreference == null ? others.readPreference : readPreference,
                maxCommitTime == null ? others.maxCommitTime : maxCommitTime,
                timeout == null ? others.timeout : timeout);
    }
}
