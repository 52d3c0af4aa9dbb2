package dev.semel.driver.model.densify;

import dev.semel.driver.model.MongoTimeUnit;
import java.time.Instant;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** Which values there should be, and how far apart. */
public final class DensifyRange implements Bson {
    private static final String FULL = "full";
    private static final String PARTITION = "partition";

    private final Bson bson;

    private DensifyRange(Bson bson) {
        this.bson = bson;
    }

    /** From the least to the greatest value of all. */
    public static DensifyRange fullRangeWithStep(Number step) {
        return of(FULL, step);
    }

    /** From the least to the greatest value of each partition. */
    public static DensifyRange partitionRangeWithStep(Number step) {
        return of(PARTITION, step);
    }

    /** The upper bound does not belong to it. */
    public static DensifyRange rangeWithStep(Number lower, Number upper, Number step) {
        return of(List.of(lower, upper), step);
    }

    public static DensifyRange fullRangeWithStep(long step, MongoTimeUnit unit) {
        return of(FULL, step, unit);
    }

    public static DensifyRange partitionRangeWithStep(long step, MongoTimeUnit unit) {
        return of(PARTITION, step, unit);
    }

    public static DensifyRange rangeWithStep(Instant lower, Instant upper, long step, MongoTimeUnit unit) {
        return of(List.of(lower, upper), step, unit);
    }

    public static DensifyRange of(Bson range) {
        return new DensifyRange(range);
    }

    private static DensifyRange of(Object bounds, Number step) {
        return of(new Document("bounds", bounds).append("step", step));
    }

    private static DensifyRange of(Object bounds, long step, MongoTimeUnit unit) {
        return of(new Document("bounds", bounds)
                .append("step", new BsonInt64(step))
                .append("unit", unit.value()));
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return bson.toBsonDocument(documentClass, codecs);
    }
}
