package dev.semel.driver.model;

import java.util.Arrays;
import java.util.Locale;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/** Windows by position, by the value of the sort field, or by time. Both ends are included. */
public final class Windows {
    private Windows() {}

    public enum Bound {
        /** The current document. */
        CURRENT,
        /** The end of the partition. */
        UNBOUNDED;

        String value() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Given(Bson bson) implements Window {
        @Override
        public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
            return bson.toBsonDocument(documentClass, codecs);
        }
    }

    public static Window of(Bson window) {
        return new Given(window);
    }

    /** Positions relative to the current document: negative before it, positive after it. */
    public static Window documents(int lower, int upper) {
        check(lower <= upper);
        return of("documents", null, lower, upper);
    }

    public static Window documents(Bound lower, int upper) {
        check(lower != Bound.CURRENT || upper >= 0);
        return of("documents", null, lower.value(), upper);
    }

    public static Window documents(int lower, Bound upper) {
        check(upper != Bound.CURRENT || lower <= 0);
        return of("documents", null, lower, upper.value());
    }

    public static Window documents(Bound lower, Bound upper) {
        return of("documents", null, lower.value(), upper.value());
    }

    /** Values relative to the sort value of the current document. */
    public static Window range(long lower, long upper) {
        check(lower <= upper);
        return of("range", null, lower, upper);
    }

    public static Window range(double lower, double upper) {
        check(lower <= upper);
        return of("range", null, lower, upper);
    }

    public static Window range(Decimal128 lower, Decimal128 upper) {
        check(lower.compareTo(upper) <= 0);
        return of("range", null, lower, upper);
    }

    public static Window range(Bound lower, long upper) {
        return of("range", null, lower.value(), upper);
    }

    public static Window range(Bound lower, double upper) {
        return of("range", null, lower.value(), upper);
    }

    public static Window range(Bound lower, Decimal128 upper) {
        return of("range", null, lower.value(), upper);
    }

    public static Window range(long lower, Bound upper) {
        return of("range", null, lower, upper.value());
    }

    public static Window range(double lower, Bound upper) {
        return of("range", null, lower, upper.value());
    }

    public static Window range(Decimal128 lower, Bound upper) {
        return of("range", null, lower, upper.value());
    }

    /** Times relative to the sort value of the current document. */
    public static Window timeRange(long lower, long upper, MongoTimeUnit unit) {
        check(lower <= upper);
        return of("range", unit, lower, upper);
    }

    public static Window timeRange(Bound lower, long upper, MongoTimeUnit unit) {
        return of("range", unit, lower.value(), upper);
    }

    public static Window timeRange(long lower, MongoTimeUnit unit, Bound upper) {
        return of("range", unit, lower, upper.value());
    }

    private static Window of(String kind, @Nullable MongoTimeUnit unit, Object lower, Object upper) {
        return of(Parts.of(kind, Parts.Row.of(Arrays.asList(lower, upper)))
                .withIfSet("unit", unit == null ? null : unit.value()));
    }

    private static void check(boolean isInOrder) {
        if (!isInOrder) {
            throw new IllegalArgumentException("The lower bound of a window must not lie above its upper bound");
        }
    }
}
