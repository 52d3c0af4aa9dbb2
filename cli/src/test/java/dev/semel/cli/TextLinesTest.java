package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** The log as people read it. */
class TextLinesTest {
    private static String line(boolean isColoured, Level level, String message) {
        var record = new LogRecord(level, message);
        record.setLoggerName("dev.semel.network");
        record.setInstant(Instant.parse("2026-01-02T03:04:05.678Z"));
        return new TextLines(ZoneOffset.UTC, isColoured).format(record);
    }

    @Test
    void lineHasTimeSeverityMessageAndAttributes() {
        assertThat(line(false, Level.INFO, "[conn1] Connection ended {\"remote\": \"127.0.0.1:5\", \"n\": 2}"))
                .isEqualTo("03:04:05.678 INFO  Connection ended remote=127.0.0.1:5 n=2 (NETWORK conn1)\n");
    }

    @Test
    void coloursAreForTerminals() {
        assertThat(line(true, Level.WARNING, "[main] Beware"))
                .isEqualTo("\u001B[2m03:04:05.678\u001B[0m \u001B[33mWARN \u001B[0m Beware"
                        + "\u001B[2m (NETWORK main)\u001B[0m\n");
        assertThat(Terminal.hasColours(Map.of())).isTrue();
        assertThat(Terminal.hasColours(Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(Terminal.hasColours(Map.of("NO_COLOR", ""))).isTrue();
        assertThat(Terminal.hasColours(Map.of("TERM", "dumb"))).isFalse();
    }

    /** Names that clients choose are in the log; they must not move the cursor or forge a line. */
    @Test
    void whatClientsSendCannotBreakTheLine() {
        assertThat(line(false, Level.SEVERE, "[conn1] Failed {\"app\": \"a\\nb\\u001b[2J\"}"))
                .isEqualTo("03:04:05.678 ERROR Failed app=a\\u000ab\\u001b[2J (NETWORK conn1)\n");
    }
}
