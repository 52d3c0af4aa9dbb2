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

/**
 * Log lines as {@code mongod} writes them, one JSON object each: time, severity, component, a number that stays the same
 * for the same message, the thread, the message and what it is about.
 */
final class JsonLines extends Formatter {
    private static final String PACKAGE = "dev.semel.server.";

    @Override
    public String format(LogRecord record) {
        var line = new BsonWriter()
                .put("t", new Value.Date(record.getMillis()))
                .put("s", severity(record.getLevel()))
                .put("c", component(String.valueOf(record.getLoggerName())))
                .put("id", id(record))
                .put("ctx", "thread" + record.getLongThreadID())
                .put("msg", formatMessage(record));
        var thrown = record.getThrown();
        if (thrown != null) {
            var trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            line.startDocument("attr")
                    .put("error", String.valueOf(thrown.getMessage()))
                    .put("trace", trace.toString())
                    .end();
        }
        return Json.relaxed(line.finish()) + "\n";
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

    /** The server's package, in capitals, as the components are. */
    private static String component(String logger) {
        if (!logger.startsWith(PACKAGE)) {
            return logger.startsWith("dev.semel.store") ? "STORAGE" : "-";
        }
        int end = logger.indexOf('.', PACKAGE.length());
        return end < 0 ? "CONTROL" : logger.substring(PACKAGE.length(), end).toUpperCase(Locale.ROOT);
    }

    private static int id(LogRecord record) {
        return 1_000_000 + Math.floorMod((record.getLoggerName() + ' ' + record.getMessage()).hashCode(), 9_000_000);
    }
}
