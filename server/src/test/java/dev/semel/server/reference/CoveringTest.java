package dev.semel.server.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an index shows of documents without looking at them is what they have: the same types, the same order of fields. */
class CoveringTest {
    private static final int DOCUMENTS = 30;

    /** Those that an entry shows. */
    private static final String[] SHOWN = {
        "0",
        "1",
        "1.0",
        "NumberLong(1)",
        "-1",
        "-1.0",
        "0.0",
        "-0.0",
        "2.5",
        "NumberDecimal('1')",
        "NumberDecimal('1.00')",
        "NumberDecimal('1E+2')",
        "100",
        "NumberDecimal('-0.1')",
        "NumberDecimal('2.50')",
        "NumberDecimal('0E-3')",
        "NumberDecimal('123456789.000000000000000001')",
        "NumberLong('9223372036854775807')",
        "NumberLong('-9223372036854775808')",
        "-9.223372036854775808e18",
        "1e300",
        "4294967296.0",
        "NumberLong('4294967296')",
        "{$numberDouble: 'NaN'}",
        "{$numberDouble: 'Infinity'}",
        "null",
        "''",
        "'x'",
        "'\\u0000\\u0001\\u00fc'",
        "true",
        "{$date: -5}",
        "{$oid: '0102030405060708090a0b0c'}",
        "{$binary: {base64: 'AAEC', subType: '04'}}",
        "{$timestamp: {t: 5, i: 7}}",
        "{$regularExpression: {pattern: '^a', options: 'i'}}",
        "{$minKey: 1}",
        "{$maxKey: 1}",
        "{$undefined: true}",
        "{}",
        "{y: 1, x: 'a'}",
        "{y: [1, {z: null}]}"
    };

    /** Those of which an entry has too little. */
    private static final String[] NOT_SHOWN = {
        "NumberDecimal('-0')",
        "NumberDecimal('NaN')",
        "NumberDecimal('Infinity')",
        "{$symbol: 'x'}",
        "{y: 1.0}",
        "{y: NumberLong(1)}",
        "{y: NumberDecimal('1')}"
    };

    private static Engine engine;

    @BeforeAll
    static void start() throws IOException {
        engine = new Engine();
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    @Test
    void anIndexShowsWhatTheDocumentsHave() {
        Seeds.check(60, random -> {
            boolean all = random.nextInt(3) == 0;
            List<BsonDocument> documents = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                documents.add(document(i, all, random));
            }
            engine.fill("c", documents);
            engine.createIndex("c", index(random));
            compare(random, all);
            // Fields that change only their type, or stay, and some that become something else.
            for (int i = 0; i < DOCUMENTS; i++) {
                String field = pick(random, "a", "b", "c");
                BsonDocument set = RandomLanguage.parse("{$set: {" + field + ": " + value(all, random) + "}}");
                engine.update("c", new BsonDocument("_id", new BsonInt32(i)), set, List.of());
            }
            compare(random, all);
        });
    }

    /** What is read through the index and what is read without it. */
    private static void compare(Random random, boolean all) {
        for (int i = 0; i < 6; i++) {
            String filter = pick(
                    random,
                    "{}",
                    "{a: {$gte: 0}}",
                    "{a: {$exists: true}}",
                    "{a: null}",
                    "{b: {$type: 'double'}}",
                    "{$or: [{a: 1}, {b: 2.5}]}",
                    "{a: {$gt: ''}, b: {$mod: [2, 1]}}");
            String shown = pick(
                    random,
                    "{a: 1, b: 1, c: 1}",
                    "{_id: 0, c: 1, a: 1}",
                    "{_id: 0, x: {$type: '$b'}, y: '$a'}",
                    "{_id: 0, a: 1}");
            String sort = pick(random, "{a: 1, b: 1, c: 1, _id: 1}", "{c: -1, b: 1, a: 1, _id: 1}");
            BsonDocument find =
                    RandomLanguage.parse("{filter: " + filter + ", projection: " + shown + ", sort: " + sort + "}");
            assertThat(found(hinted(find, "i"))).describedAs("%s", find).isEqualTo(found(hinted(find, "$natural")));
            BsonDocument explained = engine.explain(hinted(
                    new BsonDocument("find", new BsonString("c")).append("projection", find.get("projection")), "i"));
            if (!all) {
                assertThat(examined(explained)).describedAs("%s", explained).isZero();
            }
        }
    }

    private static List<String> found(BsonDocument find) {
        JsonWriterSettings exact =
                JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();
        return engine.find("c", find, false).stream()
                .map(each -> each.toJson(exact))
                .toList();
    }

    private static BsonDocument hinted(BsonDocument find, String index) {
        BsonDocument hint = new BsonDocument(index, new BsonInt32(1));
        return find.clone().append("hint", index.startsWith("$") ? hint : new BsonString(index));
    }

    private static int examined(BsonDocument explained) {
        return explained
                .getDocument("executionStats")
                .getNumber("totalDocsExamined")
                .intValue();
    }

    private static BsonDocument document(int id, boolean all, Random random) {
        List<String> fields = new ArrayList<>(List.of("p: 'not indexed'"));
        for (String name : List.of("a", "b", "c")) {
            if (random.nextInt(5) > 0) {
                fields.add(name + ": " + value(all, random));
            }
        }
        Collections.shuffle(fields, random);
        return RandomLanguage.parse("{_id: " + id + ", " + String.join(", ", fields) + "}");
    }

    private static String value(boolean all, Random random) {
        return all && random.nextInt(3) == 0 ? pick(random, NOT_SHOWN) : pick(random, SHOWN);
    }

    private static BsonDocument index(Random random) {
        List<String> columns = new ArrayList<>(List.of("a", "b", "c", "_id"));
        Collections.shuffle(columns, random);
        String key = String.join(
                ", ",
                columns.stream()
                        .map(each -> each + ": " + pick(random, "1", "-1"))
                        .toList());
        return RandomLanguage.parse("{name: 'i', key: {" + key + "}}");
    }

    private static String pick(Random random, String... from) {
        return from[random.nextInt(from.length)];
    }

    // ---- which plans are covered

    private static void fill(String... documents) {
        List<BsonDocument> all = new ArrayList<>();
        for (String each : documents) {
            all.add(RandomLanguage.parse(each));
        }
        engine.fill("c", all);
    }

    private static String stages(String command) {
        BsonDocument explained = engine.explain(RandomLanguage.parse(command));
        BsonDocument top = explained.containsKey("stages")
                ? explained.getArray("stages").get(0).asDocument().getDocument("$cursor")
                : explained;
        BsonDocument plan = top.getDocument("queryPlanner").getDocument("winningPlan");
        List<String> stages = new ArrayList<>();
        for (BsonValue each = plan; each != null; each = each.asDocument().get("inputStage")) {
            stages.add(each.asDocument().getString("stage").getValue());
        }
        return String.join(" ", stages) + " " + examined(top);
    }

    @Test
    void plansAreCoveredWhereTheIndexHasAllThatIsNeeded() {
        fill("{_id: 1, a: 1, b: 2, p: 1}", "{_id: 2, a: 2, p: 1}", "{_id: 3, a: 2.0, b: 'x', p: 1}");
        engine.createIndex("c", RandomLanguage.parse("{name: 'i', key: {a: 1, b: 1}}"));
        String covered = "PROJECTION_COVERED IXSCAN 0";

        assertThat(stages("{find: 'c', filter: {a: 2}, projection: {_id: 0, b: 1}}"))
                .isEqualTo(covered);
        assertThat(stages("{find: 'c', filter: {a: 2}, projection: {_id: 0, b: 1}, limit: 1}"))
                .isEqualTo("PROJECTION_COVERED LIMIT IXSCAN 0");
        assertThat(stages("{find: 'c', filter: {a: {$gt: 0}}, sort: {b: 1}, projection: {_id: 0, b: 1}}"))
                .isEqualTo("PROJECTION_COVERED SORT IXSCAN 0");
        assertThat(stages("{find: 'c', filter: {a: {$gt: 0}, b: /x/}, projection: {_id: 0, a: 1}}"))
                .isEqualTo(covered);
        assertThat(stages("{find: 'c', filter: {a: 2}, projection: {_id: 0, x: {$type: '$b'}}}"))
                .isEqualTo("PROJECTION_DEFAULT IXSCAN 0");
        assertThat(stages("{distinct: 'c', key: 'a'}")).isEqualTo("PROJECTION_COVERED DISTINCT_SCAN 0");
        assertThat(stages("{distinct: 'c', key: 'b', query: {a: {$gt: 1}}}")).isEqualTo(covered);
        assertThat(stages("{count: 'c', query: {a: {$gt: 0, $mod: [2, 0]}}}")).isEqualTo("COUNT IXSCAN 0");
        assertThat(stages(
                        "{aggregate: 'c', pipeline: [{$match: {a: {$gt: 0}}}, {$group: {_id: '$a', n: {$sum: '$b'}}}],"
                                + " cursor: {}}"))
                .isEqualTo(covered);
        assertThat(stages("{aggregate: 'c', pipeline: [{$sort: {a: 1}}, {$group: {_id: '$a', f: {$first: '$b'}}}],"
                        + " cursor: {}}"))
                .isEqualTo("PROJECTION_COVERED DISTINCT_SCAN 0");

        assertThat(stages("{find: 'c', filter: {a: 2}, projection: {b: 1}}"))
                .isEqualTo("PROJECTION_SIMPLE FETCH IXSCAN 2");
        assertThat(stages("{find: 'c', filter: {a: 2}, projection: {_id: 0, p: 0}}"))
                .isEqualTo("PROJECTION_SIMPLE FETCH IXSCAN 2");
        assertThat(stages("{find: 'c', filter: {a: 2, p: 1}, projection: {_id: 0, b: 1}}"))
                .isEqualTo("PROJECTION_SIMPLE FETCH IXSCAN 2");
        assertThat(stages("{find: 'c', filter: {a: {$gt: 0}}, sort: {p: 1}, projection: {_id: 0, b: 1}}"))
                .isEqualTo("PROJECTION_SIMPLE SORT FETCH IXSCAN 3");
    }

    @Test
    void anIndexWithArraysOrCollationCoversNothing() {
        fill("{_id: 1, a: 1, b: [1]}", "{_id: 2, a: 1, b: 2}");
        engine.createIndex("c", RandomLanguage.parse("{name: 'i', key: {a: 1, b: 1}}"));
        assertThat(stages("{find: 'c', filter: {a: 1}, projection: {_id: 0, a: 1}}"))
                .isEqualTo("PROJECTION_SIMPLE FETCH IXSCAN 2");

        fill("{_id: 1, a: 'x'}");
        engine.createIndex(
                "c", RandomLanguage.parse("{name: 'i', key: {a: 1}, collation: {locale: 'en', strength: 2}}"));
        assertThat(stages("{find: 'c', filter: {a: 'X'}, projection: {_id: 0, a: 1},"
                        + " collation: {locale: 'en', strength: 2}}"))
                .isEqualTo("PROJECTION_SIMPLE FETCH IXSCAN 1");
    }
}
