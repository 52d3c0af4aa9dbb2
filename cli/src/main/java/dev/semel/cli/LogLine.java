package dev.semel.cli;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;

/**
 * What was logged, in its parts, before it gets a form.
 *
 * @param severity MongoDB's: E, W, I, D1 to D3
 * @param context the thread or connection
 * @param attributes what the message is about; may be empty
 */
record LogLine(long millis, String severity, String component, String context, String message, RawDocument attributes) {
    private static final String PACKAGE = "dev.semel.";

    /** As the server hands on what it logs: thread, message, attributes. */
    private static final Pattern PARTS = Pattern.compile("\\[([^]]*)] (.*?)(?: (\\{.*}))?", Pattern.DOTALL);

    static LogLine of(LogRecord record) {
        var text = new SimpleFormatter().formatMessage(record);
        var parts = PARTS.matcher(text);
        boolean isSplit = parts.matches();
        return new LogLine(
                record.getMillis(),
                severity(record.getLevel()),
                component(String.valueOf(record.getLoggerName())),
                isSplit ? parts.group(1) : "thread" + record.getLongThreadID(),
                isSplit ? parts.group(2) : text,
                isSplit && parts.group(3) != null ? Json.parse(parts.group(3)) : RawDocument.EMPTY);
    }

    private static String severity(Level level) {
        int value = level.intValue();
        if (value >= Level.SEVERE.intValue()) {
            return "E";
        }
        if (value >= Level.WARNING.intValue()) {
            return "W";
        }
        if (value >= Level.CONFIG.intValue()) {
            return "I";
        }
        return value >= Level.FINE.intValue() ? "D1" : value >= Level.FINER.intValue() ? "D2" : "D3";
    }

    private static String component(String logger) {
        return logger.startsWith(PACKAGE) ? logger.substring(PACKAGE.length()).toUpperCase(Locale.ROOT) : "-";
    }
}
