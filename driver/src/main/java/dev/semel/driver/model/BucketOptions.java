package dev.semel.driver.model;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Options of {@code $bucket}: buckets with given boundaries. */
public final class BucketOptions {
    private @Nullable Object defaultBucket;
    private @Nullable List<BsonField> output;

    /** The id of the bucket for all other documents; null: such a document is an error. */
    public @Nullable Object getDefaultBucket() {
        return defaultBucket;
    }

    public BucketOptions defaultBucket(@Nullable Object value) {
        defaultBucket = value;
        return this;
    }

    /** The output fields of each bucket; null: the number of its documents. */
    public @Nullable List<BsonField> getOutput() {
        return output;
    }

    public BucketOptions output(BsonField... fields) {
        return output(Arrays.asList(fields));
    }

    public BucketOptions output(@Nullable List<BsonField> fields) {
        output = fields;
        return this;
    }
}
