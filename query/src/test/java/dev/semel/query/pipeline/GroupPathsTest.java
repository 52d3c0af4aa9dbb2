package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.expression.Environment;
import dev.semel.query.filter.FilterScope;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class GroupPathsTest {
    private static final List<String> UNARY = List.of(
            "$sum", "$avg", "$min", "$max", "$first", "$last", "$push", "$addToSet", "$stdDevPop", "$stdDevSamp");

    /** A field that is looked at in its bytes, and one that is evaluated, must be one and the same. */
    @Test
    void groupingByBytesIsGroupingByValues() {
        Seeds.check(200, random -> {
            List<RawDocument> documents = documents(random);
            List<RawDocument> fast = run(group("$k", "$v"), documents);
            List<RawDocument> slow = run(group(hidden("$k"), hidden("$v")), documents);
            assertThat(fast).isEqualTo(slow);
        });
    }

    /** Filters that moved and sorts that know their limit must not change what comes out. */
    @Test
    void optimizingChangesNoResult() {
        Seeds.check(200, random -> {
            List<RawDocument> documents = documents(random);
            List<RawDocument> stages = new ArrayList<>();
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                stages.add(Json.parse(stage(random)));
            }
            List<RawDocument> expected = documents;
            for (RawDocument stage : stages) {
                expected = run(List.of(stage), expected);
            }
            assertThat(run(stages, documents)).isEqualTo(expected);
        });
    }

    private static String stage(Random random) {
        String field = random.nextBoolean() ? "k" : "v";
        return switch (random.nextInt(9)) {
            case 0 -> "{\"$match\": {\"" + field + "\": {\"$gte\": " + random.nextInt(4) + "}}}";
            case 1 -> "{\"$sort\": {\"" + field + "\": " + (random.nextBoolean() ? 1 : -1) + "}}";
            case 2 -> "{\"$skip\": " + random.nextInt(4) + "}";
            case 3 -> "{\"$limit\": " + random.nextInt(1, 20) + "}";
            case 4 -> "{\"$project\": {\"" + field + "\": 1}}";
            case 5 -> "{\"$set\": {\"" + field + "\": 2}}";
            case 6 -> "{\"$unset\": \"" + field + "\"}";
            case 7 -> "{\"$unwind\": {\"path\": \"$" + field + "\", \"preserveNullAndEmptyArrays\": true}}";
            default -> "{\"$group\": {\"_id\": \"$" + field + "\", \"k\": {\"$first\": \"$k\"}}}";
        };
    }

    /** An expression that has the value of the path and does not look like one. */
    private static String hidden(String path) {
        return "{\"$cond\": [{\"$eq\": [\"$never\", 1]}, 0, \"" + path + "\"]}";
    }

    private static List<RawDocument> group(String key, String value) {
        StringBuilder fields = new StringBuilder("{\"$group\": {\"_id\": " + quoted(key));
        for (String name : UNARY) {
            fields.append(", \"")
                    .append(name.substring(1))
                    .append("\": {\"")
                    .append(name)
                    .append("\": ")
                    .append(quoted(value))
                    .append('}');
        }
        return List.of(Json.parse(fields.append("}}").toString()));
    }

    private static String quoted(String expression) {
        return expression.startsWith("{") ? expression : "\"" + expression + "\"";
    }

    private static List<RawDocument> run(List<RawDocument> stages, List<RawDocument> documents) {
        var environment = new Environment(0, null, new Random(0));
        List<RawDocument> results = new ArrayList<>();
        try (Source source =
                Pipelines.parse(stages, new FilterScope(environment)).open(Source.of(documents), false)) {
            for (RawDocument next = source.next(); next != null; next = source.next()) {
                results.add(next);
            }
        }
        return results;
    }

    private static List<RawDocument> documents(Random random) {
        List<RawDocument> documents = new ArrayList<>();
        for (int i = random.nextInt(60); i > 0; i--) {
            BsonWriter writer = new BsonWriter().put("_id", i);
            if (random.nextInt(10) > 0) {
                writer.put("k", value(random, 1));
            }
            if (random.nextInt(10) > 0) {
                writer.put("v", value(random, 1));
            }
            documents.add(writer.finish());
        }
        return documents;
    }

    private static Value value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 14 : 10)) {
            case 0, 1 -> Value.of(random.nextInt(4));
            case 2 -> Value.of((long) random.nextInt(4));
            case 3 -> Value.of((double) random.nextInt(4));
            case 4 -> Value.of(random.nextInt(8) / 4.0);
            case 5 -> new Value.Decimal(Decimal128.of(random.nextInt(4)));
            case 6 -> Value.of(random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE);
            case 7 -> Value.of(random.nextBoolean() ? "a" : "b");
            case 8 -> Value.NULL;
            case 9 -> Value.of(random.nextBoolean());
            case 10, 11 -> Value.of(new BsonWriter().put("x", value(random, 0)).finish());
            default -> {
                BsonWriter array = new BsonWriter();
                for (int i = random.nextInt(3); i > 0; i--) {
                    array.add(value(random, 0));
                }
                yield array.finishArray();
            }
        };
    }
}
