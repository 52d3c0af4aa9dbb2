package dev.semel.server.catalog;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.key.KeyWriter;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What makes a collection one of measurements. They lie in the order of their times, and of the same time in the order in
 * which they came, so that two of them may have the same {@code _id}.
 *
 * @param metaField of what says whose measurement it is; null for none
 * @param granularity null where the bucketing is given in seconds
 * @param bucketRoundingSeconds null where the granularity says it
 * @param expireAfterSeconds after which time a measurement goes; null for never
 */
public record TimeSeries(
        String timeField,
        @Nullable String metaField,
        @Nullable String granularity,
        long bucketMaxSpanSeconds,
        @Nullable Long bucketRoundingSeconds,
        @Nullable Long expireAfterSeconds) {
    private static final String FIELD = "timeseries";

    static @Nullable TimeSeries read(RawDocument options) {
        if (!(options.get(FIELD) instanceof Value.Doc(RawDocument stored))
                || !(stored.get("timeField") instanceof Value.Str(Text timeField))) {
            return null;
        }
        Long span = number(stored.get("bucketMaxSpanSeconds"));
        return new TimeSeries(
                timeField.toString(),
                string(stored.get("metaField")),
                string(stored.get("granularity")),
                span == null ? 0 : span,
                number(stored.get("bucketRoundingSeconds")),
                number(options.get("expireAfterSeconds")));
    }

    private static @Nullable String string(@Nullable Value value) {
        return value instanceof Value.Str(Text text) ? text.toString() : null;
    }

    private static @Nullable Long number(@Nullable Value value) {
        return switch (value) {
            case Value.Int32(int number) -> Long.valueOf(number);
            case Value.Int64(long number) -> Long.valueOf(number);
            case null, default -> null;
        };
    }

    /** The fields of a collection's options that say so. */
    public void writeTo(BsonWriter out) {
        if (expireAfterSeconds != null) {
            out.put("expireAfterSeconds", expireAfterSeconds.longValue());
        }
        out.startDocument(FIELD).put("timeField", timeField);
        if (metaField != null) {
            out.put("metaField", metaField);
        }
        if (granularity != null) {
            out.put("granularity", granularity);
        }
        out.put("bucketMaxSpanSeconds", Value.of((int) bucketMaxSpanSeconds));
        if (bucketRoundingSeconds != null) {
            out.put("bucketRoundingSeconds", Value.of(bucketRoundingSeconds.intValue()));
        }
        out.end();
    }

    /** Whether both keep measurements in the same way, however long. */
    boolean keepsLike(TimeSeries other) {
        return timeField.equals(other.timeField)
                && Objects.equals(metaField, other.metaField)
                && Objects.equals(granularity, other.granularity)
                && bucketMaxSpanSeconds == other.bucketMaxSpanSeconds
                && Objects.equals(bucketRoundingSeconds, other.bucketRoundingSeconds);
    }

    /** The order of the documents, as an index. */
    IndexSpec order() {
        KeyPattern key = KeyPattern.of(new BsonWriter().put(timeField, 1).finish());
        return new IndexSpec(timeField + "_1", key, false, false, null, expireAfterSeconds, false, false, null);
    }

    /** What it has from the start, as in MongoDB: the measurements of each source in the order of their times. */
    List<IndexSpec> indexes() {
        if (metaField == null) {
            return List.of();
        }
        KeyPattern key = KeyPattern.of(
                new BsonWriter().put(metaField, 1).put(timeField, 1).finish());
        return List.of(new IndexSpec(key.defaultName(), key, false, false, null, null, false, false, null));
    }

    // ---- where measurements lie

    private byte[] timeKey(int number, RawDocument measurement) {
        if (!(measurement.get(timeField) instanceof Value.Date time)) {
            throw new CommandException(
                    ErrorCode.BadValue, "'%s' must be present and contain a valid BSON UTC datetime value", timeField);
        }
        return new KeyWriter().prefix(number).put(time, false).toKey();
    }

    /** A key for one more measurement, behind those of the same time; it is locked. */
    byte[] newKey(Transaction transaction, int number, RawDocument measurement) {
        byte[] time = timeKey(number, measurement);
        for (int place = lastPlace(transaction, time) + 1; ; place++) {
            byte[] key = ByteBuffer.allocate(time.length + Integer.BYTES)
                    .put(time)
                    .putInt(place)
                    .array();
            transaction.lockExclusive(Table.DOCUMENTS, key);
            if (transaction.latest(Table.DOCUMENTS, key) == null) {
                return key;
            }
        }
    }

    private static int lastPlace(Transaction transaction, byte[] time) {
        try (Snapshot latest = transaction.latest();
                Scan scan = latest.scan(Table.DOCUMENTS, KeyRange.prefix(time), true)) {
            return scan.next()
                    ? ByteBuffer.wrap(scan.key(), time.length, Integer.BYTES).getInt()
                    : 0;
        }
    }

    /** Whether this is a key that the measurement can lie under. */
    boolean isKey(byte[] key, int number, RawDocument measurement) {
        byte[] time = timeKey(number, measurement);
        return key.length == time.length + Integer.BYTES && Arrays.equals(key, 0, time.length, time, 0, time.length);
    }

    // ---- what cannot be done with them

    static void checkKind(Transaction transaction, Collection collection) {
        LockPolicy.Kind kind = transaction.kind();
        if (kind == LockPolicy.Kind.SESSION_TRANSACTION || kind == LockPolicy.Kind.TOKUMX_TRANSACTION) {
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction,
                    "Cannot write to a time-series collection in a multi-document transaction: %s",
                    collection.namespace());
        }
    }

    /** Nothing but whose measurement it is may change. */
    void checkUpdate(RawDocument before, RawDocument after) {
        if (!without(before).equals(without(after))) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "Cannot perform an update on a time-series collection that changes anything but the metaField%s",
                    metaField == null ? "" : " '" + metaField + "'");
        }
    }

    private RawDocument without(RawDocument measurement) {
        BsonWriter rest = new BsonWriter();
        measurement.forEach(each -> {
            if (!each.name().equals(metaField)) {
                rest.put(each.name(), each.value());
            }
        });
        return rest.finish();
    }

    static void checkIndexes(Collection collection, List<IndexSpec> wanted) {
        if (collection.timeSeries() == null) {
            return;
        }
        for (IndexSpec each : wanted) {
            if (each.unique() || each.prepareUnique()) {
                throw new CommandException(
                        ErrorCode.InvalidOptions, "Unique indexes are not supported on time-series collections");
            }
            if (each.key().isId()) {
                throw new CommandException(
                        ErrorCode.InvalidOptions, "Indexes on _id are not supported on time-series collections");
            }
        }
    }
}
