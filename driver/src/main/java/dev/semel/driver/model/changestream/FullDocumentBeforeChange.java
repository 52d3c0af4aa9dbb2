package dev.semel.driver.model.changestream;

import java.util.Arrays;

/** Whether a change comes with the document as it was before. */
public enum FullDocumentBeforeChange {
    DEFAULT("default"),
    OFF("off"),
    WHEN_AVAILABLE("whenAvailable"),
    REQUIRED("required");

    private final String value;

    FullDocumentBeforeChange(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    /** The constant with this name in the protocol; an {@link IllegalArgumentException} if there is none. */
    public static FullDocumentBeforeChange fromString(String value) {
        return Arrays.stream(values())
                .filter(each -> each.value.equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + value + "' is no FullDocumentBeforeChange"));
    }
}
