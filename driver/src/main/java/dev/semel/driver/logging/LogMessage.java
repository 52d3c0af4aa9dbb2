package dev.semel.driver.logging;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message and its data, by the names of the driver logging specification. Documents are JSON, truncated to a length. */
public record LogMessage(
        LogComponent component,
        System.Logger.Level level,
        String text,
        Map<String, Object> fields,
        @Nullable Throwable failure) {
    public LogMessage {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    @Override
    public String toString() {
        return text + " " + fields;
    }
}
