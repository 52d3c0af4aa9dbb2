package dev.semel.driver.model;

import org.bson.conversions.Bson;

/** A field and the accumulator that computes its value. */
public record BsonField(String name, Bson value) {
    public String getName() {
        return name;
    }

    public Bson getValue() {
        return value;
    }
}
