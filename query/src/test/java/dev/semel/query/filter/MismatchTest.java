package dev.semel.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.query.Shorthand;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long and how deep explanations may be; the scripts in {@code mismatch} show what they say. */
final class MismatchTest {
    private static final int BYTES_MAX = 10 << 10;

    private static RawDocument explain(RawDocument filter, RawDocument document) {
        return Mismatch.explain(Filters.parseStored(filter, Shorthand.scope()), filter, document, BYTES_MAX);
    }

    private static RawDocument numbers(String field, int size) {
        BsonWriter out = new BsonWriter().put("_id", 7).startArray(field);
        IntStream.range(0, size).mapToObj(Value::of).forEach(out::add);
        return out.end().finish();
    }

    private static void assertNamesNothing(RawDocument explanation, Set<String> fields) {
        for (Element each : explanation) {
            assertThat(fields).doesNotContain(each.name());
            switch (each.value()) {
                case Value.Doc(RawDocument nested) -> assertNamesNothing(nested, fields);
                case Value.Array(RawDocument elements) -> assertNamesNothing(elements, fields);
                default -> {}
            }
        }
    }

    @Test
    void longValidatorIsLeftOut() {
        BsonWriter filter = new BsonWriter().startDocument("a").startArray("$in");
        IntStream.range(0, 2_000).mapToObj(Value::of).forEach(filter::add);
        RawDocument explanation = explain(filter.end().end().finish(), Shorthand.document("{_id: 7, a: -1}"));
        assertThat(explanation)
                .hasToString("{\"failingDocumentId\": 7, \"truncated\": true, \"details\": {\"operatorName\": \"$in\", "
                        + "\"reason\": \"no matching value found in array\"}}");
    }

    @Test
    void longValueIsLeftOut() {
        RawDocument explanation = explain(Shorthand.document("{a: {$size: 1}}"), numbers("a", 2_000));
        assertThat(explanation)
                .hasToString(
                        "{\"failingDocumentId\": 7, \"truncated\": true, \"details\": {\"operatorName\": \"$size\", "
                                + "\"reason\": \"array length was not equal to given size\"}}");
    }

    @Test
    void longValueOfASchemaIsLeftOut() {
        RawDocument filter = Shorthand.document("{$jsonSchema: {properties: {a: {maxItems: 1, bsonType: 'int'}}}}");
        RawDocument explanation = explain(filter, numbers("a", 2_000));
        assertThat(explanation.get("truncated")).isEqualTo(Value.TRUE);
        assertNamesNothing(explanation, Set.of("specifiedAs", "consideredValue"));
        assertThat(explanation.toString()).contains("\"numberOfItems\": 2000", "\"consideredType\": \"array\"");
    }

    @Test
    void whatIsLongWithoutValuesIsNotExplained() {
        BsonWriter filter = new BsonWriter().startArray("$and");
        IntStream.range(1, 1_000)
                .forEach(i -> filter.startDocument().put("a", i).end());
        RawDocument explanation = explain(filter.end().finish(), Shorthand.document("{_id: 7, a: 0}"));
        assertThat(explanation).hasToString("{\"failingDocumentId\": 7, \"note\": \"detailed error was too large\"}");
    }

    @Test
    void manyAdditionalItemsAreNotExplained() {
        RawDocument filter =
                Shorthand.document("{$jsonSchema: {properties: {a: {items: [], additionalItems: false}}}}");
        assertThat(explain(filter, numbers("a", 2_000)).toString()).contains("detailed error was too large");
    }

    /** Each level of the filter makes three of the explanation, which a message could not hold. */
    @Test
    void explanationOfADeepFilterIsRefused() {
        RawDocument document = Shorthand.document("{_id: 7, a: -1}");
        RawDocument deepest = filterOfDepth(99);
        assertThat(Mismatch.explain(Filters.parseStored(deepest, Shorthand.scope()), deepest, document))
                .hasToString("{\"reason\": \"generated error was too deeply nested\", \"truncated\": true}");
        for (int depth = 1; depth < 99; depth++) {
            RawDocument filter = filterOfDepth(depth);
            RawDocument explanation =
                    Mismatch.explain(Filters.parseStored(filter, Shorthand.scope()), filter, document);
            byte[] message = wrapped(explanation, 8).toBytes();
            assertThat(BsonValidation.check(message, 0, message.length)).isNotNull();
            assertThat(explanation.has("details")).isEqualTo(depth <= 63);
        }
    }

    @Test
    void explanationOfADeepSchemaIsRefused() {
        BsonWriter filter = new BsonWriter().startDocument("$jsonSchema");
        BsonWriter document = new BsonWriter();
        int depth = 90;
        for (int i = 0; i < depth; i++) {
            filter.startDocument("properties").startDocument("a");
            document.startDocument("a");
        }
        filter.put("bsonType", "int");
        for (int i = 0; i < depth; i++) {
            filter.end().end();
            document.end();
        }
        assertThat(explain(filter.end().finish(), document.finish()).toString())
                .contains("generated error was too deeply nested");
    }

    @Test
    void valueThatIsDeepMayBeTooMuch() {
        BsonWriter document = new BsonWriter();
        IntStream.range(0, Limits.DEPTH_MAX - 1).forEach(i -> document.startDocument("a"));
        IntStream.range(0, Limits.DEPTH_MAX - 1).forEach(i -> document.end());
        RawDocument deep = document.finish();
        assertThat(explain(Shorthand.document("{a: 1}"), deep).has("details")).isTrue();
        assertThat(explain(filterOfDepth(40), deep).has("truncated")).isTrue();
    }

    /** As drivers give it to applications. */
    @Test
    void typesOfNumbersAreThoseOfMongoDb() {
        RawDocument explanation = explain(
                Shorthand.document("{$jsonSchema: {properties: {a: {items: [{bsonType: 'int'}], minItems: 3}}}}"),
                Shorthand.document("{a: ['x']}"));
        assertThat(types(explanation, "itemIndex")).containsExactly(BsonType.INT64);
        assertThat(types(explanation, "numberOfItems")).containsExactly(BsonType.INT32);
        RawDocument other = explain(
                Shorthand.document(
                        "{$jsonSchema: {properties: {a: {anyOf: [{items: {bsonType: 'int'}}]}, b: {oneOf: [{},"
                                + " {}]}}}}"),
                Shorthand.document("{a: ['x'], b: 1}"));
        assertThat(types(other, "index")).containsExactly(BsonType.INT32);
        assertThat(types(other, "itemIndex")).containsExactly(BsonType.INT32);
        assertThat(types(other, "0")).contains(BsonType.INT32);
    }

    /** A schema may have very many properties, all of them wrong. */
    @Test
    void manyPropertiesAreExplainedAtOnce() {
        BsonWriter filter = new BsonWriter().startDocument("$jsonSchema").startDocument("properties");
        BsonWriter document = new BsonWriter();
        for (int i = 0; i < 50_000; i++) {
            filter.startDocument("p" + i).put("bsonType", "string").end();
            document.put("p" + i, i);
        }
        RawDocument specification = filter.end().end().finish();
        RawDocument explanation = Mismatch.explain(
                Filters.parseStored(specification, Shorthand.scope()), specification, document.finish());
        assertThat(types(explanation, "propertyName")).hasSize(50_000);
    }

    private static List<BsonType> types(RawDocument document, String field) {
        var types = new ArrayList<BsonType>();
        for (Element each : document) {
            if (each.name().equals(field)) {
                types.add(each.value().type());
            }
            switch (each.value()) {
                case Value.Doc(RawDocument nested) -> types.addAll(types(nested, field));
                case Value.Array(RawDocument elements) -> types.addAll(types(elements, field));
                default -> {}
            }
        }
        return types;
    }

    private static RawDocument filterOfDepth(int depth) {
        RawDocument filter = Shorthand.document("{a: 0}");
        for (int i = 1; i < depth; i++) {
            filter = new BsonWriter().startArray("$or").add(filter).end().finish();
        }
        return filter;
    }

    private static RawDocument wrapped(RawDocument document, int levels) {
        RawDocument wrapped = document;
        for (int i = 0; i < levels; i++) {
            wrapped = new BsonWriter().put("w", wrapped).finish();
        }
        return wrapped;
    }
}
