package dev.semel.driver.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of a new collection. */
public final class CreateCollectionOptions extends CommentedOptions<CreateCollectionOptions> {
    private boolean capped = false;
    private long sizeInBytes = 0;
    private long maxDocuments = 0;
    private ValidationOptions validationOptions = new ValidationOptions();
    private @Nullable Bson collation;
    private @Nullable Bson storageEngine;
    private @Nullable Bson indexOptionDefaults;
    private @Nullable Duration expireAfter;
    private @Nullable Bson timeSeries;
    private @Nullable Bson clusteredIndex;
    private @Nullable Bson changeStreamPreAndPostImages;

    public boolean isCapped() {
        return capped;
    }

    public CreateCollectionOptions capped(boolean value) {
        capped = value;
        return this;
    }

    public long getSizeInBytes() {
        return sizeInBytes;
    }

    public CreateCollectionOptions sizeInBytes(long value) {
        sizeInBytes = value;
        return this;
    }

    public long getMaxDocuments() {
        return maxDocuments;
    }

    public CreateCollectionOptions maxDocuments(long value) {
        maxDocuments = value;
        return this;
    }

    public ValidationOptions getValidationOptions() {
        return validationOptions;
    }

    public CreateCollectionOptions validationOptions(ValidationOptions value) {
        validationOptions = value;
        return this;
    }

    public @Nullable Bson getCollation() {
        return collation;
    }

    public CreateCollectionOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable Bson getStorageEngineOptions() {
        return storageEngine;
    }

    public CreateCollectionOptions storageEngineOptions(@Nullable Bson value) {
        storageEngine = value;
        return this;
    }

    public @Nullable Bson getIndexOptionDefaults() {
        return indexOptionDefaults;
    }

    public CreateCollectionOptions indexOptionDefaults(@Nullable Bson value) {
        indexOptionDefaults = value;
        return this;
    }

    public @Nullable Duration getExpireAfter() {
        return expireAfter;
    }

    public CreateCollectionOptions expireAfter(long value, TimeUnit unit) {
        return expireAfter(Duration.of(value, unit.toChronoUnit()));
    }

    public CreateCollectionOptions expireAfter(@Nullable Duration value) {
        expireAfter = value;
        return this;
    }

    public @Nullable Bson getTimeSeriesOptions() {
        return timeSeries;
    }

    public CreateCollectionOptions timeSeriesOptions(@Nullable Bson value) {
        timeSeries = value;
        return this;
    }

    public @Nullable Bson getClusteredIndexOptions() {
        return clusteredIndex;
    }

    public CreateCollectionOptions clusteredIndexOptions(@Nullable Bson value) {
        clusteredIndex = value;
        return this;
    }

    public @Nullable Bson getChangeStreamPreAndPostImagesOptions() {
        return changeStreamPreAndPostImages;
    }

    public CreateCollectionOptions changeStreamPreAndPostImagesOptions(@Nullable Bson value) {
        changeStreamPreAndPostImages = value;
        return this;
    }

    @Override
    CreateCollectionOptions self() {
        return this;
    }
}
