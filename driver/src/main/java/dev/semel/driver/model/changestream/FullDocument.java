package dev.semel.driver.model.changestream;

import java.util.Arrays;

/** Whether an update comes with the document as it is afterwards. */
public enum FullDocument {
    DEFAULT("default"),
    UPDATE_LOOKUP("updateLookup"),
    WHEN_AVAILABLE("whenAvailable"),
    REQUIRED("required");

    private final String value;

    FullDocument(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    /** The constant with this name in the protocol; an {@link IllegalArgumentException} if there is none. */
    public static FullDocument fromString(String value) {
        return Arrays.stream(values())
                .filter(each -> each.value.equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + value + "' is no FullDocument"));
    }
}
