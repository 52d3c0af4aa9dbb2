package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** A pipeline whose result the definition fixes: what depends on the order of documents follows only where that is known. */
final class RandomPipeline {
    private final RandomLanguage language;
    private final List<BsonDocument> stages = new ArrayList<>();

    /** Whether the order of the documents is known, and each has another {@code _id}. */
    private boolean isOrdered;

    private boolean hasIds = true;

    /** Whether also of values that are equal, as 1 and 1.0, it is known which one remains. */
    private boolean isExact = true;

    RandomPipeline(RandomLanguage language) {
        this.language = language;
        for (int i = 1 + language.below(5); i > 0 && isExact; i--) {
            add();
        }
    }

    List<BsonDocument> stages() {
        return stages;
    }

    boolean isOrdered() {
        return isOrdered;
    }

    boolean isExact() {
        return isExact;
    }

    private void add() {
        switch (language.below(15)) {
            case 0, 1, 2 -> stage("{$match: " + language.filter() + "}");
            case 3 -> stage("{$project: " + projection() + "}");
            case 4 ->
                stage("{$addFields: {" + target() + ": " + language.expression() + ", z: " + language.expression()
                        + "}}");
            case 5 -> stage("{$unset: '" + language.pick("a", "b.a", "c", "a.b") + "'}");
            case 6, 7 -> sort();
            case 8 -> limit();
            case 9 -> {
                String path = language.pick("a", "b", "c.b");
                stage("{$unwind: {path: '$" + path + "'"
                        + language.pick("", ", preserveNullAndEmptyArrays: true")
                        + language.pick("", ", includeArrayIndex: 'i'") + "}}");
                hasIds = false;
                if (language.below(2) == 0) {
                    stage("{$match: {'" + path + "': " + language.condition(1) + "}}");
                }
            }
            case 10 -> group();
            case 11 -> lookup();
            case 12 -> correlated();
            case 13 -> {
                stage("{$unionWith: {coll: 'o', pipeline: [{$match: " + language.filter() + "}]}}");
                isOrdered = false;
                hasIds = false;
            }
            default -> windows();
        }
    }

    /** Without a pipeline, documents are found by their {@code _id} in a way of its own. */
    private void lookup() {
        String local = language.pick("d", "e", "s", "b");
        String further = ", pipeline: [{$sort: {_id: 1}}]";
        stage("{$lookup: {from: 'o', localField: '" + local + "', foreignField: "
                + language.pick(
                        "'_id'",
                        "'_id'" + further,
                        "'d'" + further,
                        "'e'" + further,
                        "'s'" + further,
                        "'b'" + further,
                        "'a.b'" + further)
                + ", as: 'r'}}");
        if (language.below(3) == 0) {
            stage("{$unwind: {path: '$r'" + language.pick("", ", preserveNullAndEmptyArrays: true") + "}}");
            hasIds = false;
        }
    }

    /** Each document has a pipeline of its own. */
    private void correlated() {
        String on = language.pick("", "localField: 's', foreignField: 's', ", "localField: 'b', foreignField: 'e', ");
        String condition = "{$expr: {" + language.pick("$eq", "$eq", "$gt", "$lte", "$ne") + ": ["
                + language.pick("'$e', '$$v'", "'$$v', '$d'", "'$_id', '$$w'", language.field() + ", '$$v'") + "]}}";
        stage("{$lookup: {from: 'o', " + on + "let: {v: "
                + language.pick(language.field(), "'$e'", language.expression())
                + ", w: '$_id'}, pipeline: [{$match: " + condition + "}, {$sort: {_id: 1}}"
                + language.pick(
                        "", ", {$limit: 2}", ", {$addFields: {x: '$$w'}}", ", {$project: {e: 1, y: ['$$v', '$s']}}")
                + "], as: 'r'}}");
    }

    private void stage(String stage) {
        stages.add(RandomLanguage.parse(stage));
    }

    private String target() {
        return language.pick("'a'", "'c.b'", "'b.a'", "'y'", "'s'");
    }

    private String projection() {
        return language.pick(
                "{a: 1, 'b.a': 1, e: 1, x: " + language.expression() + "}",
                "{_id: 1, d: 1, s: 1, b: 1}",
                "{a: 0, 'b.a': 0}",
                "{'c.b': 0}",
                "{a: '$b', e: '$e', 'c.x': " + language.expression() + "}");
    }

    /** The order of equal documents is that of their {@code _id}. */
    private void sort() {
        String first = language.pick("a", "b", "c", "d", "e", "s", "a.b", "b.a");
        String then = language.pick("", ", e: 1", ", e: -1");
        stage("{$sort: {'" + first + "': " + language.pick("1", "-1") + (first.equals("e") ? "" : then) + ", _id: 1}}");
        isOrdered = hasIds;
    }

    private void limit() {
        if (!isOrdered) {
            sort();
        }
        if (isOrdered) {
            stage("{" + language.pick("$limit: ", "$skip: ") + (1 + language.below(10)) + "}");
        }
    }

    private void group() {
        if (!isOrdered && hasIds && language.below(2) == 0) {
            sort();
        }
        String id = language.pick("'$d'", "'$s'", "null", "{x: '$e', y: '$s'}", "{$type: '$a'}", "'$a'", "'$b.a'");
        String ofOrder = language.pick(
                "f: {$first: '$a'}", "f: {$last: '$d'}", "f: {$push: '$b'}", "f: {$min: '$a'}", "f: {$addToSet: '$e'}");
        stage("{$group: {_id: " + id + ", n: {$count: {}}, t: {$sum: '$d'}, m: {$avg: '$d'}, g: {$max: '$e'}"
                + (isOrdered ? ", " + ofOrder : "") + "}}");
        if (ofOrder.contains("addToSet") && isOrdered) {
            stage("{$unset: 'f'}");
        }
        isExact = isOrdered;
        isOrdered = false;
        // Of a field: it may be an array, which counts as one of its elements in a sort.
        hasIds = !id.startsWith("'");
    }

    private void windows() {
        if (!hasIds) {
            return;
        }
        String output = language.pick(
                "sortBy: {e: 1}, output: {w: {$rank: {}}}",
                "sortBy: {e: -1}, output: {w: {$denseRank: {}}}",
                "sortBy: {_id: -1}, output: {w: {$documentNumber: {}}}",
                "sortBy: {d: 1, _id: -1}, output: {w: {$shift: {output: '$a', by: 1, default: 'none'}}}",
                "sortBy: {e: 1, _id: 1}, output: {w: {$push: '$d', window: {documents: [-2, 1]}}}",
                "sortBy: {s: 1, _id: 1}, output: {'c.w': {$last: '$d', window: {documents: ['unbounded', 'current']}}}",
                "sortBy: {s: 1, _id: 1}, output: {w: {$max: '$e', window: {documents: ['current', 3]}}}",
                "sortBy: {e: 1}, output: {w: {$sum: '$d', window: {range: [-2, 0]}}}",
                "sortBy: {e: 1}, output: {w: {$avg: '$d', window: {range: ['unbounded', 1]}}, v: {$min: '$e'}}",
                "sortBy: {e: 1}, output: {w: {$count: {}, window: {range: [1, 2]}}}");
        // Partitions of equal keys are made in the order of the first document of each, but the order among them is
        // open.
        stage("{$setWindowFields: {partitionBy: " + language.pick("'$s'", "null", "'$d'", "{$type: '$a'}") + ", "
                + output + "}}");
        isOrdered = false;
    }
}
