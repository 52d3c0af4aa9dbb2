package dev.semel.blackpipe.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.Value;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasureTest {
    private static Value value(String json) {
        return Objects.requireNonNull(Json.parse("{\"v\": " + json + "}").get("v"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // A counter that an upsert creates.
                "[] | [{\"_id\": 1, \"n\": 1}] | [] | 0 x",
                "[] | [{\"_id\": 1, \"n\": 1}] | [{\"_id\": 1, \"n\": 1.0}] | 1 x",
                "[] | [{\"_id\": 1, \"n\": 1}] | [{\"_id\": 1, \"n\": 3}] | 3 x",
                // A transfer between two accounts, whose sum never changes.
                "[{\"_id\": 1, \"m\": 9}, {\"_id\": 2, \"m\": 0}] | [{\"_id\": 1, \"m\": 7}, {\"_id\": 2, \"m\": 2}]"
                        + " | [{\"_id\": 1, \"m\": 7}, {\"_id\": 2, \"m\": 0}] | in part",
                "[{\"_id\": 1, \"m\": 9}, {\"_id\": 2, \"m\": 0}] | [{\"_id\": 1, \"m\": 7}, {\"_id\": 2, \"m\": 2}]"
                        + " | [{\"_id\": 1, \"m\": 5}, {\"_id\": 2, \"m\": 4}] | 2 x",
                "[{\"_id\": 1, \"m\": 9}, {\"_id\": 2, \"m\": 0}] | [{\"_id\": 1, \"m\": 7}, {\"_id\": 2, \"m\": 2}]"
                        + " | [{\"_id\": 1, \"m\": 5}, {\"_id\": 2, \"m\": 0}] | in part",
                // A state beside a counter: it is set once, however often.
                "[{\"_id\": 1, \"s\": \"new\", \"n\": 0}] | [{\"_id\": 1, \"s\": \"paid\", \"n\": 1}]"
                        + " | [{\"_id\": 1, \"s\": \"paid\", \"n\": 2}] | 2 x",
                "[{\"_id\": 1, \"s\": \"new\", \"n\": 0}] | [{\"_id\": 1, \"s\": \"paid\", \"n\": 1}]"
                        + " | [{\"_id\": 1, \"s\": \"paid\", \"n\": 0}] | in part",
                // Documents that are equal.
                "[] | [{\"item\": \"tea\", \"price\": 5}] | [{\"item\": \"tea\", \"price\": 5},"
                        + " {\"item\": \"tea\", \"price\": 5}] | 2 x",
                "[] | [{\"a\": \"x\"}, {\"a\": \"y\"}] | [{\"a\": \"x\"}] | in part",
                // A count.
                "3 | 4 | 3 | 0 x",
                "3 | 4 | 6 | 3 x",
                "3 | 5 | 4 | in part",
                // Something else than was meant.
                "[{\"_id\": 1, \"n\": 1}] | [{\"_id\": 1, \"n\": 2}] | [{\"_id\": 1, \"n\": 2, \"x\": 1}] | in part",
                "[{\"_id\": 1, \"n\": 1}] | [{\"_id\": 1, \"n\": 2}] | [] | in part",
            })
    void effectIsThereSoOftenAsEveryFieldSays(String before, String expected, String found, String effect) {
        assertThat(Measure.of(value(before), value(expected), value(found))).hasToString(effect);
    }
}
