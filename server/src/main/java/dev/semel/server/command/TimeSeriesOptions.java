package dev.semel.server.command;

import dev.semel.server.catalog.TimeSeries;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the field {@code timeseries} of whatever makes a collection of measurements. */
public final class TimeSeriesOptions {
    /** How many seconds a bucket spans by default. */
    private static final Map<String, Long> SPANS = Map.of("seconds", 3_600L, "minutes", 86_400L, "hours", 2_592_000L);

    private static final long SPAN_MAX = 31_536_000;

    private TimeSeriesOptions() {}

    /** With after how many seconds a measurement goes, which another field says. */
    public static TimeSeries parse(Arguments in, @Nullable Long expiry) {
        String timeField = field("timeField", in.requiredString("timeField"));
        String metaField = in.string("metaField");
        String granularity = in.string("granularity");
        Long span = seconds(in, "bucketMaxSpanSeconds");
        Long rounding = seconds(in, "bucketRoundingSeconds");
        in.refuseUnknown();
        if (metaField != null && field("metaField", metaField).equals("_id")) {
            throw invalid("'metaField' cannot be \"_id\"");
        }
        if (timeField.equals(metaField)) {
            throw invalid("'timeField' and 'metaField' cannot be the same field");
        }
        return rounding == null
                ? byGranularity(timeField, metaField, granularity, span, expiry)
                : bySeconds(timeField, metaField, granularity, span, rounding, expiry);
    }

    private static TimeSeries byGranularity(
            String timeField,
            @Nullable String metaField,
            @Nullable String granularity,
            @Nullable Long span,
            @Nullable Long expiry) {
        String chosen = granularity == null ? "seconds" : granularity;
        Long usual = SPANS.get(chosen);
        if (usual == null) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Enumeration value '%s' for field 'create.timeseries.granularity' is not a valid value.",
                    chosen);
        }
        if (span != null && (granularity == null || !span.equals(usual))) {
            throw invalid("'bucketMaxSpanSeconds' needs 'bucketRoundingSeconds' to be set, to the same value");
        }
        return new TimeSeries(timeField, metaField, chosen, usual, null, expiry);
    }

    private static TimeSeries bySeconds(
            String timeField,
            @Nullable String metaField,
            @Nullable String granularity,
            @Nullable Long span,
            Long rounding,
            @Nullable Long expiry) {
        if (granularity != null) {
            throw invalid("'bucketRoundingSeconds' cannot be set beside 'granularity'");
        }
        if (span == null || !rounding.equals(span)) {
            throw invalid("'bucketRoundingSeconds' needs 'bucketMaxSpanSeconds' to be set, to the same value");
        }
        return new TimeSeries(timeField, metaField, null, span, rounding, expiry);
    }

    private static @Nullable Long seconds(Arguments in, String name) {
        if (!in.has(name)) {
            return null;
        }
        long seconds = in.integer(name, 0);
        if (seconds < 1 || seconds > SPAN_MAX) {
            throw new CommandException(
                    ErrorCode.BadValue, "BSON field '%s' must be between 1 and %d, found %d", name, SPAN_MAX, seconds);
        }
        return seconds;
    }

    private static String field(String option, String name) {
        if (name.isEmpty() || name.startsWith("$") || name.indexOf('.') >= 0 || name.indexOf('\0') >= 0) {
            throw invalid("'%s' must be the name of a field of the outermost level, found '%s'", option, name);
        }
        return name;
    }

    private static CommandException invalid(String format, Object... arguments) {
        return new CommandException(ErrorCode.InvalidOptions, format, arguments);
    }
}
