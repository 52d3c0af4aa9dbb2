package dev.semel.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.Shorthand;
import dev.semel.query.Values;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Matching on bytes answers as a plain evaluation over decoded values does. */
final class FilterPropertyTest {
    @Test
    void comparisonOnBytesIsComparisonOfValues() {
        Seeds.check(3_000, random -> {
            var values = new Values(random);
            var comparison = Comparison.values()[random.nextInt(Comparison.values().length)];
            String path = values.path();
            Value operand = values.value(2);
            var filter = new BsonWriter()
                    .put(
                            path,
                            new BsonWriter().put(comparison.operator(), operand).finish())
                    .finish();
            Filter parsed = Filters.parse(filter, Shorthand.scope());
            for (int i = 0; i < 5; i++) {
                RawDocument document = values.document(3);
                boolean expected = valuesAt(document, DottedPath.of(path)).stream()
                        .anyMatch(value -> holds(comparison, value.value(), operand));
                assertThat(parsed.matches(document))
                        .as("%s of %s", filter, document)
                        .isEqualTo(expected);
            }
        });
    }

    @Test
    void inIsAnyEquality() {
        Seeds.check(2_000, random -> {
            var values = new Values(random);
            String path = values.path();
            Value wanted = values.array(1);
            Filter in = Filters.parse(
                    new BsonWriter()
                            .put(path, new BsonWriter().put("$in", wanted).finish())
                            .finish(),
                    Shorthand.scope());
            for (int i = 0; i < 5; i++) {
                RawDocument document = values.document(3);
                boolean expected = false;
                if (wanted instanceof Value.Array(RawDocument elements)) {
                    for (Element each : elements) {
                        expected |= Filters.parse(
                                        new BsonWriter().put(path, each.value()).finish(), Shorthand.scope())
                                .matches(document);
                    }
                }
                assertThat(in.matches(document))
                        .as("%s in %s", document, wanted)
                        .isEqualTo(expected);
            }
        });
    }

    @Test
    void elementMatchedIsAnElementOfAnArray() {
        Seeds.check(2_000, random -> {
            var values = new Values(random);
            Filter filter =
                    Filters.parse(new BsonWriter().put("a", values.value(1)).finish(), Shorthand.scope());
            RawDocument document = values.document(3);
            int index = filter.matchedIndex(document);
            assertThat(index != DottedPath.NOT_FOUND).isEqualTo(filter.matches(document));
            if (index >= 0) {
                assertThat(document.get("a")).isInstanceOf(Value.Array.class);
            }
        });
    }

    private record Maybe(@Nullable Value value) {}

    private static boolean holds(Comparison comparison, @Nullable Value value, Value operand) {
        Value present = value == null ? Value.NULL : value;
        if (ValueOrder.kind(present) != ValueOrder.kind(operand)) {
            return false;
        }
        if (Numbers.isNaN(present) || Numbers.isNaN(operand)) {
            return Numbers.isNaN(present) && Numbers.isNaN(operand) && comparison.allowsEqual();
        }
        return comparison.allows(ValueOrder.compare(present, operand));
    }

    private static List<Maybe> valuesAt(RawDocument document, DottedPath path) {
        List<Maybe> found = new ArrayList<>();
        inDocument(document, path, 0, found);
        return found;
    }

    private static void inDocument(RawDocument document, DottedPath path, int part, List<Maybe> found) {
        Value value = document.get(path.part(part));
        if (part == path.size() - 1) {
            last(value, found);
            return;
        }
        switch (value) {
            case Value.Doc(RawDocument inner) -> inDocument(inner, path, part + 1, found);
            case Value.Array(RawDocument elements) -> inArray(elements, path, part + 1, found);
            case null, default -> found.add(new Maybe(null));
        }
    }

    private static void last(@Nullable Value value, List<Maybe> found) {
        if (value instanceof Value.Array(RawDocument elements)) {
            elements.forEach(each -> found.add(new Maybe(each.value())));
        }
        found.add(new Maybe(value));
    }

    private static void inArray(RawDocument elements, DottedPath path, int part, List<Maybe> found) {
        int i = 0;
        for (Element element : elements) {
            Value value = element.value();
            if (value instanceof Value.Doc(RawDocument inner)) {
                inDocument(inner, path, part, found);
            }
            if (i == path.index(part)) {
                if (part == path.size() - 1) {
                    found.add(new Maybe(value));
                } else if (value instanceof Value.Doc(RawDocument inner)) {
                    inDocument(inner, path, part + 1, found);
                } else if (value instanceof Value.Array(RawDocument inner)) {
                    inArray(inner, path, part + 1, found);
                }
            }
            i++;
        }
    }
}
