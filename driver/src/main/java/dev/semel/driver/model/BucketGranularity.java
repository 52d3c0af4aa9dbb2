package dev.semel.driver.model;

/** Series of preferred numbers to which the boundaries of buckets are rounded. */
public enum BucketGranularity {
    R5("R5"),
    R10("R10"),
    R20("R20"),
    R40("R40"),
    R80("R80"),
    SERIES_125("1-2-5"),
    E6("E6"),
    E12("E12"),
    E24("E24"),
    E48("E48"),
    E96("E96"),
    E192("E192"),
    POWERSOF2("POWERSOF2");

    private final String value;

    BucketGranularity(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    /** The constant with this name in the protocol; an {@link IllegalArgumentException} if there is none. */
    public static BucketGranularity fromString(String value) {
        return Labels.named(values(), BucketGranularity::getValue, value);
    }
}
