package dev.semel.cli;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Log lines for people: time, severity, message, what it is about, and who said it; one line for each event. */
final class TextLines extends Formatter {
    private static final String RESET = "\u001B[0m";
    private static final String DIM = "\u001B[2m";
    private static final String RED = "\u001B[31m";
    private static final String GREEN = "\u001B[32m";
    private static final String YELLOW = "\u001B[33m";

    private final DateTimeFormatter time;
    private final boolean isColoured;

    TextLines(ZoneId zone, boolean isColoured) {
        this.time = DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(zone);
        this.isColoured = isColoured;
    }

    @Override
    public String format(LogRecord record) {
        var logged = LogLine.of(record);
        var about = new StringBuilder();
        for (var fields = logged.attributes().cursor(); fields.next(); ) {
            about.append(' ').append(fields.name()).append('=').append(text(fields.value()));
        }
        return painted(DIM, time.format(Instant.ofEpochMilli(logged.millis())))
                + " "
                + painted(colour(logged.severity()), word(logged.severity()))
                + " "
                + shown(logged.message())
                + shown(about.toString())
                + painted(DIM, shown(" (" + logged.component() + " " + logged.context() + ")"))
                + "\n";
    }

    private static String text(Value value) {
        if (value instanceof Value.Str string) {
            var text = string.text().toString();
            return text.isEmpty() || text.indexOf(' ') >= 0 ? "'" + text + "'" : text;
        }
        return Json.relaxed(value);
    }

    /** What clients send must neither break the line nor contain control sequences of the terminal. */
    private static String shown(String text) {
        var shown = new StringBuilder(text.length());
        text.chars().forEach(each -> {
            if (Character.isISOControl(each)) {
                shown.append("\\u%04x".formatted(each));
            } else {
                shown.append((char) each);
            }
        });
        return shown.toString();
    }

    private String painted(String colour, String text) {
        return isColoured ? colour + text + RESET : text;
    }

    private static String colour(String severity) {
        return switch (severity) {
            case "E" -> RED;
            case "W" -> YELLOW;
            case "I" -> GREEN;
            default -> DIM;
        };
    }

    private static String word(String severity) {
        return switch (severity) {
            case "E" -> "ERROR";
            case "W" -> "WARN ";
            case "I" -> "INFO ";
            default -> "DEBUG";
        };
    }
}
