package dev.semel.driver.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of an index. */
public final class IndexOptions {
    private @Nullable String name;
    private boolean unique = false;
    private boolean sparse = false;
    private boolean hidden = false;
    private @Nullable Duration expireAfter;
    private @Nullable Bson partialFilterExpression;
    private @Nullable Bson collation;
    private @Nullable Bson weights;
    private @Nullable String defaultLanguage;
    private @Nullable String languageOverride;
    private @Nullable Integer textVersion;
    private @Nullable Integer sphereVersion;
    private @Nullable Integer bits;
    private @Nullable Double min;
    private @Nullable Double max;
    private @Nullable Bson wildcardProjection;
    private @Nullable Bson storageEngine;
    private @Nullable Integer version;

    public @Nullable String getName() {
        return name;
    }

    public IndexOptions name(@Nullable String value) {
        name = value;
        return this;
    }

    public boolean isUnique() {
        return unique;
    }

    public IndexOptions unique(boolean value) {
        unique = value;
        return this;
    }

    public boolean isSparse() {
        return sparse;
    }

    public IndexOptions sparse(boolean value) {
        sparse = value;
        return this;
    }

    public boolean isHidden() {
        return hidden;
    }

    public IndexOptions hidden(boolean value) {
        hidden = value;
        return this;
    }

    public @Nullable Duration getExpireAfter() {
        return expireAfter;
    }

    public IndexOptions expireAfter(long value, TimeUnit unit) {
        return expireAfter(Duration.of(value, unit.toChronoUnit()));
    }

    public IndexOptions expireAfter(@Nullable Duration value) {
        expireAfter = value;
        return this;
    }

    public @Nullable Bson getPartialFilterExpression() {
        return partialFilterExpression;
    }

    public IndexOptions partialFilterExpression(@Nullable Bson value) {
        partialFilterExpression = value;
        return this;
    }

    public @Nullable Bson getCollation() {
        return collation;
    }

    public IndexOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable Bson getWeights() {
        return weights;
    }

    public IndexOptions weights(@Nullable Bson value) {
        weights = value;
        return this;
    }

    public @Nullable String getDefaultLanguage() {
        return defaultLanguage;
    }

    public IndexOptions defaultLanguage(@Nullable String value) {
        defaultLanguage = value;
        return this;
    }

    public @Nullable String getLanguageOverride() {
        return languageOverride;
    }

    public IndexOptions languageOverride(@Nullable String value) {
        languageOverride = value;
        return this;
    }

    public @Nullable Integer getTextVersion() {
        return textVersion;
    }

    public IndexOptions textVersion(@Nullable Integer value) {
        textVersion = value;
        return this;
    }

    public @Nullable Integer getSphereVersion() {
        return sphereVersion;
    }

    public IndexOptions sphereVersion(@Nullable Integer value) {
        sphereVersion = value;
        return this;
    }

    public @Nullable Integer getBits() {
        return bits;
    }

    public IndexOptions bits(@Nullable Integer value) {
        bits = value;
        return this;
    }

    public @Nullable Double getMin() {
        return min;
    }

    public IndexOptions min(@Nullable Double value) {
        min = value;
        return this;
    }

    public @Nullable Double getMax() {
        return max;
    }

    public IndexOptions max(@Nullable Double value) {
        max = value;
        return this;
    }

    public @Nullable Bson getWildcardProjection() {
        return wildcardProjection;
    }

    public IndexOptions wildcardProjection(@Nullable Bson value) {
        wildcardProjection = value;
        return this;
    }

    public @Nullable Bson getStorageEngine() {
        return storageEngine;
    }

    public IndexOptions storageEngine(@Nullable Bson value) {
        storageEngine = value;
        return this;
    }

    public @Nullable Integer getVersion() {
        return version;
    }

    public IndexOptions version(@Nullable Integer value) {
        version = value;
        return this;
    }
}
