package dev.semel.driver.model;

/** Units of time with their names in the protocol. */
public enum MongoTimeUnit {
    YEAR("year"),
    QUARTER("quarter"),
    MONTH("month"),
    WEEK("week"),
    DAY("day"),
    HOUR("hour"),
    MINUTE("minute"),
    SECOND("second"),
    MILLISECOND("millisecond");

    private final String value;

    MongoTimeUnit(String value) {
        this.value = value;
    }

    public String value() {
        return value;
    }
}
