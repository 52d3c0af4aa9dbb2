package dev.semel.driver.model;

/** A field that {@code $setWindowFields} computes; {@link WindowOutputFields} makes them. */
public record WindowOutputField(BsonField field) {
    /** The field and what computes it. */
    public BsonField toBsonField() {
        return field;
    }
}
