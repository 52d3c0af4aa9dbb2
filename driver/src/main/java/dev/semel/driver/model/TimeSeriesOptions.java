package dev.semel.driver.model;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of a time-series collection. The server's defaults apply to what is null. */
public final class TimeSeriesOptions implements Bson {
    private final String timeField;
    private @Nullable String metaField;
    private @Nullable TimeSeriesGranularity granularity;
    private @Nullable Duration bucketMaxSpan;
    private @Nullable Duration bucketRounding;

    public TimeSeriesOptions(String timeField) {
        this.timeField = timeField;
    }

    public String getTimeField() {
        return timeField;
    }

    /** The field that identifies the source of a measurement. */
    public @Nullable String getMetaField() {
        return metaField;
    }

    public TimeSeriesOptions metaField(@Nullable String value) {
        metaField = value;
        return this;
    }

    public @Nullable TimeSeriesGranularity getGranularity() {
        return granularity;
    }

    public TimeSeriesOptions granularity(@Nullable TimeSeriesGranularity value) {
        granularity = value;
        return this;
    }

    public @Nullable Long getBucketMaxSpan(TimeUnit unit) {
        return in(unit, bucketMaxSpan);
    }

    public TimeSeriesOptions bucketMaxSpan(@Nullable Long value, TimeUnit unit) {
        bucketMaxSpan = value == null ? null : Duration.of(value, unit.toChronoUnit());
        return this;
    }

    public @Nullable Long getBucketRounding(TimeUnit unit) {
        return in(unit, bucketRounding);
    }

    public TimeSeriesOptions bucketRounding(@Nullable Long value, TimeUnit unit) {
        bucketRounding = value == null ? null : Duration.of(value, unit.toChronoUnit());
        return this;
    }

    private static @Nullable Long in(TimeUnit unit, @Nullable Duration value) {
        return value == null ? null : Long.valueOf(unit.convert(value));
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return Parts.of("timeField", timeField)
                .withIfSet("metaField", metaField)
                .withIfSet(
                        "granularity",
                        granularity == null ? null : granularity.name().toLowerCase(Locale.ROOT))
                .withIfSet("bucketMaxSpanSeconds", in(TimeUnit.SECONDS, bucketMaxSpan))
                .withIfSet("bucketRoundingSeconds", in(TimeUnit.SECONDS, bucketRounding))
                .toBsonDocument(documentClass, codecs);
    }
}
