package dev.semel.driver.model;

/** A field that {@code $setWindowFields} computes; created by {@link WindowOutputFields}. */
public record WindowOutputField(BsonField field) {
    /** The field and its window function. */
    public BsonField toBsonField() {
        return field;
    }
}
