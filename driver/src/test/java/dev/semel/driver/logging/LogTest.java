package dev.semel.driver.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

/** What is written, and how much of it. */
class LogTest {
    private static final LogMessage MESSAGE =
            new LogMessage(LogComponent.COMMAND, Level.DEBUG, "Command started", Map.of("requestId", 1), null);

    /** CLAMP-1. */
    @Test
    void documentsAreCutAtThousandCharacters() {
        var document = new BsonDocument("a", new BsonString("x".repeat(5_000)));
        assertThat(new Log(LoggerSettings.DEFAULT).text(document))
                .hasSize(1_003)
                .endsWith("x...");
    }

    /** CLAMP-2. */
    @Test
    void limitIsChosenByTheApplication() {
        var log = new Log(LoggerSettings.DEFAULT.withMaxDocumentLength(5));
        assertThat(log.text(BsonDocument.parse("{hello: true}"))).isEqualTo("{\"hel...");
        assertThat(log.text(new BsonDocument())).isEqualTo("{}");
    }

    /** CLAMP-3. */
    @Test
    void noCharacterIsCutInTwo() {
        assertThat(Log.cut("\uD83D\uDE00b", 2)).isEqualTo("\uD83D\uDE00...");
        assertThat(Log.cut("\uD83D\uDE00b", 1)).isEqualTo("...");
    }

    @Test
    void levelsHoldByComponent() {
        var heard = new ArrayList<LogMessage>();
        var log = new Log(LoggerSettings.DEFAULT
                .withLevel(Level.OFF)
                .withLevel(LogComponent.COMMAND, Level.DEBUG)
                .withListener(heard::add));
        assertThat(log.isOn(LogComponent.COMMAND, Level.DEBUG)).isTrue();
        assertThat(log.isOn(LogComponent.COMMAND, Level.TRACE)).isFalse();
        assertThat(log.isOn(LogComponent.TOPOLOGY, Level.ERROR)).isFalse();
        log.write(MESSAGE);
        assertThat(heard).isEqualTo(List.of(MESSAGE));
        assertThat(MESSAGE).hasToString("Command started {requestId=1}");
    }

    @Test
    void environmentFillsInWhatSettingsLeaveOpen() {
        var environment = Map.of(
                "MONGODB_LOG_ALL", "info",
                "MONGODB_LOG_COMMAND", "debug",
                "MONGODB_LOG_TOPOLOGY", "nonsense",
                "MONGODB_LOG_MAX_DOCUMENT_LENGTH", "unlimited");
        var settings = LoggerSettings.DEFAULT
                .withLevel(LogComponent.CONNECTION, Level.OFF)
                .orElse(environment);
        assertThat(settings.levels())
                .isEqualTo(Map.of(
                        LogComponent.COMMAND, Level.DEBUG,
                        LogComponent.TOPOLOGY, Level.INFO,
                        LogComponent.SERVER_SELECTION, Level.INFO,
                        LogComponent.CONNECTION, Level.OFF));
        assertThat(settings.maxDocumentLength()).isEqualTo(Integer.MAX_VALUE);
        assertThat(LoggerSettings.DEFAULT.orElse(Map.of())).isEqualTo(LoggerSettings.DEFAULT);
    }
}
