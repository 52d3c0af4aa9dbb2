package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.query.Shorthand;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipelines in pipelines in pipelines. */
final class NestingTest {
    private static final String LOOKUP = "{$lookup: {from: 'c', as: 'a', pipeline: [%s]}}";
    private static final String UNION = "{$unionWith: {coll: 'c', pipeline: [%s]}}";

    private static Pipeline parse(String template, int depth) {
        String stage = "{$match: {}}";
        for (int i = 0; i < depth; i++) {
            stage = template.formatted(stage);
        }
        return Pipelines.parse(List.of(Shorthand.document(stage)), Shorthand.scope(), Others.UNREAD);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"$lookup | " + LOOKUP, "$unionWith | " + UNION})
    void twentyLevelsAndNoMore(String stage, String template) {
        assertThat(parse(template, 20).isEmpty()).isFalse();
        assertThatThrownBy(() -> parse(template, 21))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.MaxSubPipelineDepthExceeded))
                .hasMessageContaining("Maximum number of nested " + stage + " sub-pipelines exceeded. Limit is 20");
    }
}
