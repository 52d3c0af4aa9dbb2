package dev.semel.query.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A difference that is wrong makes a copy that differs, in every application that follows a change stream. */
class DeltaTest {
    private static final String[] NAMES = {"a", "b", "c", "0", "x.y", ""};

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"a": 1}                | {"a": 1}                   | {}
        {"a": 1}                | {"a": 2}                   | {"u": {"a": 2}}
        {"a": 1}                | {"a": 1, "b": 2}           | {"i": {"b": 2}}
        {"a": 1, "b": 2}        | {"b": 2}                   | {"d": {"a": false}}
        {"a": 1, "b": 2}        | {"b": 2, "a": 1}           | {"i": {"a": 1}}
        {"a": {"b": 1, "c": 1}} | {"a": {"b": 2, "c": 1}}    | {"sa": {"u": {"b": 2}}}
        {"a": [1, 2]}           | {"a": [1, 2, 3]}           | {"sa": {"a": true, "u2": 3}}
        {"a": [1, 2, 3]}        | {"a": [1, 2]}              | {"sa": {"a": true, "l": 2}}
        {"a": [1, 2, 3]}        | {"a": [1, 3]}              | {"u": {"a": [1, 3]}}
        {"a": [{"b": 1}]}       | {"a": [{"b": 1, "c": 2}]}  | {"sa": {"a": true, "s0": {"i": {"c": 2}}}}
        {"a": [1]}              | {"a": {"0": 1}}            | {"u": {"a": {"0": 1}}}
        {"a": {"b": 1}}         | {"a": {}}                  | {"sa": {"d": {"b": false}}}
        """)
    void tellsWhatChanged(String before, String after, String difference) {
        RawDocument found = Delta.between(Json.parse(before), Json.parse(after));
        assertThat(found).isEqualTo(Json.parse(difference));
        assertThat(DeltaApplication.apply(Json.parse(before), found)).isEqualTo(Json.parse(after));
    }

    @Test
    void describesByPaths() {
        RawDocument difference = Json.parse("""
            {"d": {"gone": false}, "i": {"new": 1}, "sa": {"u": {"b.c": 2, "0": 3, "00": 4, "10": 5}},
             "sl": {"a": true, "l": 2, "u0": 5, "s1": {"u": {"x": 1}}}}
            """);
        assertThat(UpdateDescription.of(difference, true)).isEqualTo(Json.parse("""
            {"updatedFields": {"new": 1, "a.b.c": 2, "a.0": 3, "a.00": 4, "a.10": 5, "l.0": 5, "l.1.x": 1},
             "removedFields": ["gone"],
             "truncatedArrays": [{"field": "l", "newSize": 2}],
             "disambiguatedPaths": {"a.b.c": ["a", "b.c"], "a.0": ["a", "0"], "a.10": ["a", "10"]}}
            """));
    }

    @Test
    void appliedToTheOldDocumentGivesTheNew() {
        Seeds.check(2_000, random -> {
            RawDocument before = document(random, 3);
            RawDocument after = random.nextInt(3) == 0 ? document(random, 3) : changed(before, random);
            RawDocument difference = Delta.between(before, after);
            assertThat(DeltaApplication.apply(before, difference))
                    .as("%s by %s", before, difference)
                    .isEqualTo(after);
        });
    }

    @Test
    @Timeout(20)
    void largeDifferencesAreAppliedInOnePass() {
        RawDocument before = numbered("f", 200_000, 0);
        RawDocument changed = numbered("f", 200_000, 1);
        RawDocument renamed = numbered("g", 200_000, 0);
        RawDocument reversed = new BsonWriter().put("last", 1).copyAll(before).finish();
        for (RawDocument after : List.of(changed, renamed, reversed)) {
            assertThat(DeltaApplication.apply(before, Delta.between(before, after)))
                    .isEqualTo(after);
        }
    }

    private static RawDocument numbered(String prefix, int count, int value) {
        BsonWriter out = new BsonWriter();
        for (int i = 0; i < count; i++) {
            out.put(prefix + i, value);
        }
        return out.finish();
    }

    private static RawDocument document(Random random, int depth) {
        BsonWriter out = new BsonWriter();
        List<String> names = new ArrayList<>(List.of(NAMES));
        Collections.shuffle(names, random);
        for (String name : names.subList(0, random.nextInt(NAMES.length + 1))) {
            out.put(name, value(random, depth - 1));
        }
        return out.finish();
    }

    private static Value value(Random random, int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(4);
        if (kind == 1) {
            return Value.of(document(random, depth));
        }
        if (kind == 2) {
            BsonWriter out = new BsonWriter();
            for (int i = random.nextInt(5); i > 0; i--) {
                out.add(value(random, depth - 1));
            }
            return out.finishArray();
        }
        return Value.of(random.nextInt(3));
    }

    /** Mostly the same. */
    private static RawDocument changed(RawDocument document, Random random) {
        BsonWriter out = new BsonWriter();
        for (var at = document.cursor(); at.next(); ) {
            switch (random.nextInt(5)) {
                case 0 -> {}
                case 1 -> out.put(at.name(), changed(at.value(), random));
                default -> out.copy(at);
            }
        }
        if (random.nextBoolean()) {
            out.put("new", value(random, 2));
        }
        return out.finish();
    }

    private static Value changed(Value value, Random random) {
        if (value instanceof Value.Doc(RawDocument document)) {
            return Value.of(changed(document, random));
        }
        if (!(value instanceof Value.Array(RawDocument elements))) {
            return value(random, 2);
        }
        BsonWriter out = new BsonWriter();
        for (var at = elements.cursor(); at.next(); ) {
            if (random.nextInt(6) == 0) {
                break;
            }
            out.add(random.nextInt(3) == 0 ? changed(at.value(), random) : at.value());
        }
        if (random.nextInt(3) == 0) {
            out.add(value(random, 1));
        }
        return out.finishArray();
    }
}
