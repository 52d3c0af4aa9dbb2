package dev.semel.driver.model;

/** Which writes are validated. */
public enum ValidationLevel {
    OFF("off"),
    STRICT("strict"),
    MODERATE("moderate");

    private final String value;

    ValidationLevel(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    /** The constant with this name in the protocol; an {@link IllegalArgumentException} if there is none. */
    public static ValidationLevel fromString(String value) {
        return Labels.named(values(), ValidationLevel::getValue, value);
    }
}
