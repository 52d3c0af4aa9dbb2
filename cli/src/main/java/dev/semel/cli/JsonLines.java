package dev.semel.cli;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.Value;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;

/**
 * Log lines as {@code mongod} writes them, one JSON object each: time, severity, component, a number that stays the same
 * for the same message, the thread, the message and what it is about.
 */
final class JsonLines extends Formatter {
    private static final String PACKAGE = "dev.semel.";

    /** Numbers of seven digits, as MongoDB's are. */
    private static final int FIRST_ID = 1_000_000;

    private static final int IDS = 9_000_000;

    /** As the server hands on what it logs: thread, message, attributes. */
    private static final Pattern PARTS = Pattern.compile("\\[([^]]*)] (.*?)(?: (\\{.*}))?", Pattern.DOTALL);

    @Override
    public String format(LogRecord record) {
        var message = formatMessage(record);
        var parts = PARTS.matcher(message);
        boolean split = parts.matches();
        var line = new BsonWriter()
                .put("t", new Value.Date(record.getMillis()))
                .put("s", severity(record.getLevel()))
                .put("c", component(String.valueOf(record.getLoggerName())));
        var text = split ? parts.group(2) : message;
        line.put("id", FIRST_ID + Math.floorMod(text.hashCode(), IDS))
                .put("ctx", split ? parts.group(1) : "thread" + record.getLongThreadID())
                .put("msg", text);
        var attributes = new BsonWriter();
        if (split && parts.group(3) != null) {
            attributes.copyAll(Json.parse(parts.group(3)));
        }
        var thrown = record.getThrown();
        if (thrown != null) {
            var trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            attributes.put("trace", trace.toString());
        }
        var about = attributes.finish();
        return Json.relaxed((about.isEmpty() ? line : line.put("attr", about)).finish()) + "\n";
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
