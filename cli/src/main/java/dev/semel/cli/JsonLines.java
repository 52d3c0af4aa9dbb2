package dev.semel.cli;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.Value;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Log lines as {@code mongod} writes them, one JSON object each: time, severity, component, a number that stays the same
 * for the same message, the thread, the message and what it is about.
 */
final class JsonLines extends Formatter {
    /** Numbers of seven digits, as MongoDB's are. */
    private static final int FIRST_ID = 1_000_000;

    private static final int IDS = 9_000_000;

    @Override
    public String format(LogRecord record) {
        var logged = LogLine.of(record);
        var line = new BsonWriter()
                .put("t", new Value.Date(logged.millis()))
                .put("s", logged.severity())
                .put("c", logged.component())
                .put("id", FIRST_ID + Math.floorMod(logged.message().hashCode(), IDS))
                .put("ctx", logged.context())
                .put("msg", logged.message());
        var attributes = new BsonWriter();
        attributes.copyAll(logged.attributes());
        var thrown = record.getThrown();
        if (thrown != null) {
            var trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            attributes.put("trace", trace.toString());
        }
        var about = attributes.finish();
        return Json.relaxed((about.isEmpty() ? line : line.put("attr", about)).finish()) + "\n";
    }
}
