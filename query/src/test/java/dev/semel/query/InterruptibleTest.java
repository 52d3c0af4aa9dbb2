package dev.semel.query;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.query.expression.Environment;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.query.update.UpdateScope;
import dev.semel.query.update.Updates;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client can make as long as it likes, on one document, asks whether to go on: nothing else could end it. */
class InterruptibleTest {
    private static final int MANY = 200;

    private static final RawDocument DOCUMENT = Json.parse("{\"a\": [1, 2]}");

    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Whether the time is up. */
    private boolean isOver;

    private final FilterScope scope = new FilterScope(new Environment(
            0,
            null,
            new Random(1),
            () -> {
                if (isOver) {
                    throw new Ended();
                }
            },
            ms -> {}));

    private static String many(IntFunction<String> each) {
        return IntStream.range(0, MANY).mapToObj(each).collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"$or\": [%s]}",
                "{\"$nor\": [%s]}",
                "{\"$and\": [{\"$or\": [%s]}, {\"a\": 1}]}",
                "{\"a\": {\"$not\": {\"$elemMatch\": {\"$or\": [%s]}}}, \"$nor\": [%1$s]}"
            })
    void filters(String filter) {
        String branches = many(each -> "{\"a\": {\"$gt\": %d}}".formatted(each + 10));
        var parsed = Filters.parse(Json.parse(filter.formatted(branches)), scope);
        isOver = true;
        assertThatThrownBy(() -> parsed.matches(DOCUMENT)).isInstanceOf(Ended.class);
        assertThatThrownBy(() -> Filters.parse(Json.parse(filter.formatted(branches)), scope))
                .isInstanceOf(Ended.class);
    }

    @Test
    void filterThatAllValuesMatch() {
        var all = Filters.parse(Json.parse("{\"a\": {\"$all\": [%s]}}".formatted(many(each -> "1"))), scope);
        var fields = Filters.parse(Json.parse("{%s}".formatted(many(each -> "\"f%d\": null".formatted(each)))), scope);
        isOver = true;
        assertThatThrownBy(() -> all.matches(DOCUMENT)).isInstanceOf(Ended.class);
        assertThatThrownBy(() -> fields.matches(DOCUMENT)).isInstanceOf(Ended.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"f%d\": \"$a\"", "\"f%d\": {\"$add\": [1, \"$x\"]}", "\"x.f%d\": [\"$a\"]"})
    void stages(String field) {
        String stage = "{\"$set\": {%s}}".formatted(many(field::formatted));
        var update = Pipelines.parseUpdate(List.of(Json.parse(stage)), scope);
        isOver = true;
        assertThatThrownBy(() -> update.apply(DOCUMENT)).isInstanceOf(Ended.class);
    }

    @Test
    void renamings() {
        String fields = many(each -> "\"f%1$d\": \"g%1$d\"".formatted(each));
        var update = Updates.parse(
                Value.of(Json.parse("{\"$rename\": {%s}}".formatted(fields))),
                List.of(),
                new UpdateScope(scope, new Value.Date(0), () -> new Value.Timestamp(0), false));
        isOver = true;
        assertThatThrownBy(() -> update.apply(DOCUMENT, Filters.ALL)).isInstanceOf(Ended.class);
    }
}
