package dev.semel.driver.model;

import java.util.Map;
import java.util.Optional;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What a bulk write of a client did.
 *
 * @param verbose what each statement did, where that was asked for, or null
 */
public record ClientBulkWriteResult(
        boolean acknowledged,
        long insertedCount,
        long upsertedCount,
        long matchedCount,
        long modifiedCount,
        long deletedCount,
        @Nullable VerboseResults verbose) {
    /** An unacknowledged write; the counts are 0 and have no meaning. */
    public static final ClientBulkWriteResult UNACKNOWLEDGED = new ClientBulkWriteResult(false, 0, 0, 0, 0, 0, null);

    /** By the index of the statement; only those that succeeded. */
    public record VerboseResults(
            Map<Integer, ClientInsertOneResult> insertResults,
            Map<Integer, ClientUpdateResult> updateResults,
            Map<Integer, ClientDeleteResult> deleteResults) {
        public Map<Integer, ClientInsertOneResult> getInsertResults() {
            return insertResults;
        }

        public Map<Integer, ClientUpdateResult> getUpdateResults() {
            return updateResults;
        }

        public Map<Integer, ClientDeleteResult> getDeleteResults() {
            return deleteResults;
        }
    }

    /** An insert; the id is null if the codec does not provide it. */
    public record ClientInsertOneResult(@Nullable BsonValue insertedId) {
        public Optional<BsonValue> getInsertedId() {
            return Optional.ofNullable(insertedId);
        }
    }

    /** An update or a replacement; the id is null unless a document was inserted. */
    public record ClientUpdateResult(
            long matchedCount, long modifiedCount, @Nullable BsonValue upsertedId) {
        public long getMatchedCount() {
            return matchedCount;
        }

        public long getModifiedCount() {
            return modifiedCount;
        }

        public Optional<BsonValue> getUpsertedId() {
            return Optional.ofNullable(upsertedId);
        }
    }

    /** A delete. */
    public record ClientDeleteResult(long deletedCount) {
        public long getDeletedCount() {
            return deletedCount;
        }
    }

    public boolean isAcknowledged() {
        return acknowledged;
    }

    public long getInsertedCount() {
        return insertedCount;
    }

    public long getUpsertedCount() {
        return upsertedCount;
    }

    public long getMatchedCount() {
        return matchedCount;
    }

    public long getModifiedCount() {
        return modifiedCount;
    }

    public long getDeletedCount() {
        return deletedCount;
    }

    public Optional<VerboseResults> getVerboseResults() {
        return Optional.ofNullable(verbose);
    }
}
