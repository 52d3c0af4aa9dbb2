package dev.semel.driver.logging;

import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is logged. A component without a level logs what its {@link System.Logger} allows; with one, both must allow a
 * message. Documents are cut after a maximum number of characters.
 */
public record LoggerSettings(
        Map<LogComponent, Level> levels,
        int maxDocumentLength,
        @Nullable LogListener listener) {
    public static final LoggerSettings DEFAULT = new LoggerSettings(Map.of(), 1000, null);

    private static final String ALL = "MONGODB_LOG_ALL";
    private static final String MAX_DOCUMENT_LENGTH = "MONGODB_LOG_MAX_DOCUMENT_LENGTH";

    public LoggerSettings {
        if (maxDocumentLength < 0) {
            throw new IllegalArgumentException("maxDocumentLength must not be negative, found " + maxDocumentLength);
        }
        levels = Map.copyOf(levels);
    }

    public LoggerSettings withLevel(LogComponent component, Level level) {
        var next = new EnumMap<LogComponent, Level>(LogComponent.class);
        next.putAll(levels);
        next.put(component, level);
        return new LoggerSettings(next, maxDocumentLength, listener);
    }

    public LoggerSettings withLevel(Level ofAll) {
        var next = this;
        for (LogComponent each : LogComponent.values()) {
            next = next.withLevel(each, ofAll);
        }
        return next;
    }

    public LoggerSettings withMaxDocumentLength(int value) {
        return new LoggerSettings(levels, value, listener);
    }

    public LoggerSettings withListener(@Nullable LogListener value) {
        return new LoggerSettings(levels, maxDocumentLength, value);
    }

    /** Where these settings say nothing, the environment may. A value it should not have is as if it were not there. */
    public LoggerSettings orElse(Map<String, String> environment) {
        var result = this;
        Level ofAll = level(environment.get(ALL));
        for (LogComponent each : LogComponent.values()) {
            Level own = level(environment.get(each.variable()));
            // The more verbose of the two: a level for all components has no exceptions.
            Level wanted = own == null || (ofAll != null && ofAll.getSeverity() < own.getSeverity()) ? ofAll : own;
            if (wanted != null && !levels.containsKey(each)) {
                result = result.withLevel(each, wanted);
            }
        }
        Integer length = length(environment.get(MAX_DOCUMENT_LENGTH));
        return length == null || maxDocumentLength != DEFAULT.maxDocumentLength
                ? result
                : result.withMaxDocumentLength(length);
    }

    private static @Nullable Level level(@Nullable String name) {
        return switch (name == null ? "" : name.toLowerCase(Locale.ROOT)) {
            case "off" -> Level.OFF;
            case "emergency", "alert", "critical", "error" -> Level.ERROR;
            case "warning" -> Level.WARNING;
            case "notice", "info" -> Level.INFO;
            case "debug" -> Level.DEBUG;
            case "trace" -> Level.TRACE;
            default -> null;
        };
    }

    private static @Nullable Integer length(@Nullable String text) {
        if (text == null) {
            return null;
        }
        if (text.equalsIgnoreCase("unlimited")) {
            return Integer.MAX_VALUE;
        }
        try {
            int length = Integer.parseInt(text);
            return length < 0 ? null : length;
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
