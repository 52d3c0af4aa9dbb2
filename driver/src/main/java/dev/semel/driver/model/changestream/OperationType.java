package dev.semel.driver.model.changestream;

import java.util.Arrays;

/** The type of a change. */
public enum OperationType {
    INSERT("insert"),
    UPDATE("update"),
    REPLACE("replace"),
    DELETE("delete"),
    INVALIDATE("invalidate"),
    DROP("drop"),
    DROP_DATABASE("dropDatabase"),
    RENAME("rename"),
    /** Something newer than this driver: {@link ChangeStreamDocument#getOperationTypeString} has its name. */
    OTHER("other");

    private final String value;

    OperationType(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    public static OperationType fromString(String value) {
        return Arrays.stream(values())
                .filter(each -> each.value.equals(value))
                .findFirst()
                .orElse(OTHER);
    }
}
