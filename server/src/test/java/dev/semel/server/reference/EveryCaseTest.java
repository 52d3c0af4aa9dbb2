package dev.semel.server.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where what matters is the combination of few values, all combinations are tried: what random ones meet now and then only
 * is met in every run.
 */
class EveryCaseTest {
    private static final List<String> OLD_VALUES = List.of(
            "",
            "null",
            "1",
            "1.0",
            "NumberLong(1)",
            "NumberDecimal('1')",
            "2",
            "'x'",
            "{a: 1}",
            "[]",
            "[1]",
            "[1.0]",
            "[null]",
            "[1, 2, 3]",
            "[3, 1, 1.0, [1]]",
            "['x', {a: 1}, {a: 1.0}]");

    private static final List<String> OPERANDS = List.of(
            "null",
            "1",
            "1.0",
            "NumberLong(1)",
            "NumberDecimal('1')",
            "0",
            "3",
            "'x'",
            "[]",
            "[1]",
            "{a: 1}",
            "{a: 2.0}");

    /** Documents whose field is a number, or any array of up to two of them. */
    private static final List<String> SMALL = small();

    private static Engine engine;

    @BeforeAll
    static void start() throws IOException {
        engine = new Engine();
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    private static List<String> small() {
        List<String> all = new ArrayList<>(List.of("{}", "{a: null}", "{a: []}"));
        for (int first = 0; first < 4; first++) {
            all.add("{a: " + first + "}");
            all.add("{a: [" + first + "]}");
            for (int second = 0; second < 4; second++) {
                all.add("{a: [" + first + ", " + second + "]}");
            }
        }
        return all;
    }

    private static List<BsonDocument> documents(List<String> fields) {
        List<BsonDocument> documents = new ArrayList<>();
        for (String each : fields) {
            BsonDocument document = new BsonDocument("_id", new BsonInt32(documents.size()));
            document.putAll(BsonDocument.parse(each));
            documents.add(document);
        }
        return documents;
    }

    // ---- updates

    @ParameterizedTest
    @ValueSource(strings = {"$min", "$max", "$push", "$addToSet", "$pull"})
    void anOperatorDoesItsWorkOnEveryValue(String operator) {
        for (String operand : OPERANDS) {
            update("{" + operator + ": {v: " + operand + "}}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"$pop: {v: 1}", "$pop: {v: -1}", "$addToSet: {v: {$each: [1.0, NumberLong(1), 'x', 'x']}}"})
    void anUpdateDoesItsWorkOnEveryValue(String update) {
        update("{" + update + "}");
    }

    private static void update(String text) {
        BsonDocument update = BsonDocument.parse(text);
        List<BsonDocument> expected = new ArrayList<>();
        List<BsonDocument> before = documents(OLD_VALUES.stream()
                .map(each -> each.isEmpty() ? "{}" : "{v: " + each + "}")
                .toList());
        engine.fill("c", before);
        for (BsonDocument each : before) {
            try {
                expected.add(new Updates(Order.SIMPLE, List.of()).apply(update, each));
            } catch (Refused refused) {
                expected.add(each);
            }
            engine.update("c", new BsonDocument("_id", Fields.of(each, "_id")), update, List.of());
        }
        assertThat(Texts.of(engine.find("c", BsonDocument.parse("{sort: {_id: 1}}"), false)))
                .describedAs(text)
                .isEqualTo(Texts.of(expected));
    }

    // ---- bounds of indexes with arrays

    @ParameterizedTest
    @ValueSource(strings = {"{a: 1}", "{a: -1}", "{a: 1, b: 1}"})
    void twoBoundsOnOneArrayMayBeMetByDifferentElements(String key) {
        fill(SMALL, key);
        for (int low = -1; low < 5; low++) {
            for (int high = -1; high < 5; high++) {
                for (String form : List.of(
                        "{a: {$gte: %d, $lte: %d}}",
                        "{a: {$gt: %d, $lt: %d}}",
                        "{$and: [{a: %d}, {a: %d}]}",
                        "{a: {$all: [%d, %d]}}",
                        "{a: {$elemMatch: {$gte: %d, $lt: %d}}}",
                        "{a: {$gte: %d, $ne: %d}}",
                        "{a: {$not: {$gte: %d}, $lte: %d}}")) {
                    find(form.formatted(low, high));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'a.b': 1, 'a.c': 1}",
                "{'a.b': -1, 'a.c': 1}",
                "{'a.b': 1, 'a.c': -1, d: 1}",
                "{'a.b.c': 1, 'a.c': 1}"
            })
    void boundsBelowOneArrayMayBeMetByDifferentElements(String key) {
        List<String> fields = new ArrayList<>(List.of("{}", "{a: []}", "{a: {b: 1}}", "{a: {b: [0, 1], c: 1}}"));
        for (int i = 0; i < 81; i++) {
            fields.add("{a: [{b: %d, c: %d}, {b: %d, c: %d}]}".formatted(i % 3, i / 3 % 3, i / 9 % 3, i / 27));
        }
        fields.add("{a: [{b: [0, 2], c: 0}, {b: [1], c: 2}]}");
        fields.add("{a: [{b: [{c: 0}, {c: 2}], c: 1}]}");
        fill(fields, key);
        for (int first = -1; first < 4; first++) {
            for (int second = -1; second < 4; second++) {
                for (String form : List.of(
                        "{'a.b': %d, 'a.c': %d}",
                        "{'a.b': {$gte: %d}, 'a.c': {$lt: %d}}",
                        "{'a.b': {$gt: %d, $lt: %d}}",
                        "{'a.b.c': {$gte: %d, $lte: %d}}",
                        "{a: {$elemMatch: {b: %d, c: %d}}}",
                        "{a: {$elemMatch: {b: {$gte: %d, $lte: %d}}}}",
                        "{a: {$elemMatch: {b: {$lte: %d}}}, 'a.c': %d}",
                        "{'a.b': {$elemMatch: {$gt: %d, $lte: %d}}}")) {
                    find(form.formatted(first, second));
                }
            }
        }
    }

    private static void fill(List<String> fields, String key) {
        engine.fill("c", documents(fields));
        index(key);
    }

    private static void index(String key) {
        BsonDocument index = new BsonDocument("key", BsonDocument.parse(key)).append("name", new BsonString(key));
        assertThat(engine.createIndex("c", index)).isTrue();
    }

    private static List<BsonDocument> all() {
        return engine.find("c", BsonDocument.parse("{hint: {$natural: 1}}"), false);
    }

    private static void find(String text) {
        BsonDocument filter = BsonDocument.parse(text);
        List<String> expected = all().stream()
                .filter(each -> new Match(Order.SIMPLE).matches(filter, each))
                .map(Texts::of)
                .toList();
        assertThat(Texts.of(engine.find("c", new BsonDocument("filter", filter), false)))
                .describedAs(text)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    // ---- numbers

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void remaindersAreThoseOfWholeParts(int remainder) {
        engine.fill(
                "c",
                documents(List.of(
                        "{a: 1}",
                        "{a: 2}",
                        "{a: 1.5}",
                        "{a: 2.5}",
                        "{a: -1.5}",
                        "{a: -0.5}",
                        "{a: NumberDecimal('3.9')}",
                        "{a: NumberLong(3)}",
                        "{a: ['x', 2.9]}",
                        "{a: 'x'}",
                        "{}")));
        find("{a: {$mod: [2, " + remainder + "]}}");
    }

    // ---- orders

    /** Each document is found once although several of the merged scans lead to it, and in order in both directions. */
    @ParameterizedTest
    @ValueSource(strings = {"{a: 1, e: 1, _id: 1}", "{a: 1, e: -1, _id: -1}", "{a: -1, e: 1, _id: 1}"})
    void scansAreMergedInOrder(String key) {
        List<BsonDocument> documents = documents(SMALL);
        documents.forEach(
                each -> each.put("e", new BsonInt32(each.getInt32("_id").getValue() * 7 % 5)));
        engine.fill("c", documents);
        index(key);
        index(key.replace("a:", "f:"));
        for (String filter : List.of(
                "{a: {$in: [0, 1]}}",
                "{a: {$in: [0, 1, 2, 3]}}",
                "{a: {$in: [3, null]}}",
                "{$or: [{a: 1}, {a: {$in: [2, 3]}}]}",
                "{$or: [{a: 1, e: {$gt: 1}}, {a: 2}, {f: 3}]}")) {
            for (String sort : List.of("{e: 1, _id: 1}", "{e: -1, _id: -1}")) {
                for (String window : List.of("", ", limit: 3", ", skip: 2, limit: 4")) {
                    BsonDocument find = BsonDocument.parse("{filter: " + filter + ", sort: " + sort + window + "}");
                    int skip = find.getInt32("skip", new BsonInt32(0)).getValue();
                    int limit = find.getInt32("limit", new BsonInt32(documents.size()))
                            .getValue();
                    List<BsonDocument> matching = documents.stream()
                            .filter(each -> new Match(Order.SIMPLE).matches(find.getDocument("filter"), each))
                            .toList();
                    List<BsonDocument> expected = new Sorting(find.getDocument("sort"), Order.SIMPLE)
                            .sorted(matching).stream().skip(skip).limit(limit).toList();
                    assertThat(Texts.of(engine.find("c", find, false)))
                            .describedAs("%s with an index on %s", find, key)
                            .isEqualTo(Texts.of(expected));
                }
            }
        }
    }

    // ---- distinct values

    @ParameterizedTest
    @ValueSource(strings = {"", "{a: 1}", "{a: -1}", "{a: 1, b: 1}", "{b: 1, a: 1}"})
    void everyElementIsAValueOnce(String key) {
        engine.fill("c", documents(SMALL));
        if (!key.isEmpty()) {
            index(key);
        }
        for (String text : List.of("{}", "{a: 1}", "{a: {$gte: 1, $lt: 3}}", "{a: {$in: [0, 3]}}", "{b: null}")) {
            BsonDocument filter = BsonDocument.parse(text);
            List<BsonValue> expected = new ArrayList<>();
            for (BsonDocument document : all()) {
                if (new Match(Order.SIMPLE).matches(filter, document)) {
                    for (BsonValue each : Match.values(document, "a")) {
                        if (expected.stream().noneMatch(other -> Order.SIMPLE.equal(other, each))) {
                            expected.add(each);
                        }
                    }
                }
            }
            expected.sort(Order.SIMPLE);
            List<BsonValue> found = new ArrayList<>(engine.distinct("c", "a", filter));
            found.sort(Order.SIMPLE);
            assertThat(new BsonArray(found))
                    .describedAs("%s with an index on %s", text, key)
                    .isEqualTo(new BsonArray(expected));
        }
    }

    // ---- joins

    private static final List<String> IDS = List.of(
            "null", "1", "2.0", "NumberLong(3)", "NumberDecimal('4')", "'x'", "'X'", "{a: 1}", "{a: [1]}", "true");

    private static final List<String> LOCAL_VALUES = List.of(
            "",
            "null",
            "1",
            "1.0",
            "2",
            "NumberDecimal('3.0')",
            "4",
            "5",
            "'x'",
            "'y'",
            "{a: 1.0}",
            "{a: [1]}",
            "true",
            "/x/",
            "[]",
            "[[1]]",
            "[3, 1, 1.0, 2]",
            "['X', 'x']",
            "[null, 7]",
            "[{a: [1]}, {a: 1}]",
            "[/x/, 1]");

    /** What is found by keys is what a query finds, for each of two hundred documents in a row. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{$unwind: '$r'}", "{$unwind: {path: '$r', preserveNullAndEmptyArrays: true}}"})
    void lookupsByIdFindWhatQueriesFind(String unwind) {
        List<BsonDocument> others = new ArrayList<>();
        IDS.forEach(each -> others.add(BsonDocument.parse("{_id: " + each + ", n: " + others.size() + "}")));
        engine.fill("o", others);
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            LOCAL_VALUES.forEach(each -> fields.add(each.isEmpty() ? "{}" : "{l: {v: " + each + "}}"));
        }
        engine.fill("c", documents(fields));
        for (String as : List.of("r", "l.r")) {
            for (boolean isCaseless : new boolean[] {false, true}) {
                assertThat(joined("", as, unwind, isCaseless))
                        .isEqualTo(joined(", pipeline: [{$match: {}}]", as, unwind, isCaseless))
                        .isNotEmpty();
            }
        }
    }

    private static List<BsonDocument> joined(String pipeline, String as, String unwind, boolean isCaseless) {
        List<BsonDocument> stages = new ArrayList<>();
        stages.add(BsonDocument.parse("{$sort: {_id: 1}}"));
        stages.add(BsonDocument.parse(
                "{$lookup: {from: 'o', localField: 'l.v', foreignField: '_id'" + pipeline + ", as: '" + as + "'}}"));
        if (!unwind.isEmpty()) {
            stages.add(BsonDocument.parse(unwind.replace("$r", "$" + as)));
        }
        return engine.aggregate("c", stages, isCaseless);
    }
}
