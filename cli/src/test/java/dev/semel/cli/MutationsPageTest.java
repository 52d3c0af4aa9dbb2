package dev.semel.cli;

import dev.semel.golden.GeneratedPage;
import dev.semel.golden.mutation.Mutation;
import dev.semel.golden.mutation.Mutations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/mutations.md shows the deliberate faults of all modules. */
class MutationsPageTest {
    @Test
    void pageShowsEveryFault() throws IOException {
        var page = new StringBuilder();
        String area = "";
        for (String module : List.of("driver", "server", "store", "cluster")) {
            for (Mutation each : Mutations.read(Path.of("..", module)).all()) {
                if (!each.area().equals(area)) {
                    area = each.area();
                    page.append("\n## ").append(area).append("\n\n| fault | noticed by |\n| --- | --- |\n");
                }
                page.append("| ")
                        .append(each.name())
                        .append(" | ")
                        .append(each.tests().isEmpty() ? "no test: " + each.reason() : tests(each))
                        .append(" |\n");
            }
        }
        GeneratedPage.named("mutations.md").check(page.append('\n').toString());
    }

    private static String tests(Mutation mutation) {
        return mutation.tests().stream().map(test -> "`" + test + "`").collect(Collectors.joining(", "));
    }
}
