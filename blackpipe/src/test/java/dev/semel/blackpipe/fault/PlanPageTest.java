package dev.semel.blackpipe.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The plans that docs/proxy.md shows are plans. */
class PlanPageTest {
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void everyPlanOfThePageIsRead() throws IOException {
        var page = Files.readString(Path.of("..", "docs", "proxy.md"));
        var rules = YAML.matcher(page)
                .results()
                .map(each -> PlanText.parse(each.group(1), "docs/proxy.md").size())
                .toList();
        assertThat(rules).containsExactly(1, 5);
    }
}
