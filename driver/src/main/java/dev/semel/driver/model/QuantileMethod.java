package dev.semel.driver.model;

import org.bson.BsonString;
import org.bson.BsonValue;

/** How quantiles are computed. */
public record QuantileMethod(BsonValue value) {
    /** The only method of MongoDB. */
    public static QuantileMethod approximate() {
        return of(new BsonString("approximate"));
    }

    public static QuantileMethod of(BsonValue value) {
        return new QuantileMethod(value);
    }

    public BsonValue toBsonValue() {
        return value;
    }
}
