package dev.semel.driver.model;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Options of {@code $bucketAuto}: buckets of about the same size. */
public final class BucketAutoOptions {
    private @Nullable BucketGranularity granularity;
    private @Nullable List<BsonField> output;

    /** The series from which boundaries are taken; null: the values of the documents. */
    public @Nullable BucketGranularity getGranularity() {
        return granularity;
    }

    public BucketAutoOptions granularity(@Nullable BucketGranularity value) {
        granularity = value;
        return this;
    }

    /** The output fields of each bucket; null: the number of its documents. */
    public @Nullable List<BsonField> getOutput() {
        return output;
    }

    public BucketAutoOptions output(BsonField... fields) {
        return output(Arrays.asList(fields));
    }

    public BucketAutoOptions output(@Nullable List<BsonField> fields) {
        output = fields;
        return this;
    }
}
