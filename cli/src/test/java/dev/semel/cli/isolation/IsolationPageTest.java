package dev.semel.cli.isolation;

import dev.semel.golden.GeneratedPage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The page about isolation says what happens when clients try the classic anomalies, because they have just tried. */
class IsolationPageTest {
    @Test
    void pageSaysWhichAnomaliesArePossible() throws IOException {
        StringBuilder table = new StringBuilder("| ");
        for (Level level : Level.values()) {
            table.append("| ").append(level.title()).append(' ');
        }
        table.append("|\n").append("| --- ".repeat(Level.values().length + 1)).append("|\n");
        for (Anomaly anomaly : Anomaly.ALL) {
            table.append("| ")
                    .append(anomaly.name())
                    .append(": ")
                    .append(anomaly.description())
                    .append(' ');
            for (Level level : Level.values()) {
                table.append("| ").append(outcome(anomaly, level)).append(' ');
            }
            table.append("|\n");
        }
        GeneratedPage.named("isolation.md").check(table.toString());
    }

    private static String outcome(Anomaly anomaly, Level level) throws IOException {
        try (Stage stage = new Stage(level)) {
            anomaly.script().run(stage);
            return anomaly.happened().test(stage.result()) ? "**yes**" : stage.prevention();
        }
    }
}
