package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bson.BsonDocument;

/** An update of one or two fields, with the array filter that its paths name, or the condition that finds the element they mean. */
final class RandomUpdate {
    private static final String[] PATHS = {
        "a",
        "b",
        "c",
        "d",
        "n",
        "a.b",
        "c.b",
        "b.0",
        "b.1.a",
        "b.4",
        "n.m",
        "b.$[]",
        "b.$[i]",
        "b.$[].a",
        "b.$[i].b",
        "b.$",
        "b.$.a"
    };

    private final RandomLanguage language;
    private final BsonDocument update;
    private final List<BsonDocument> arrayFilters = new ArrayList<>();
    private BsonDocument condition = new BsonDocument();

    RandomUpdate(Random random) {
        language = new RandomLanguage(random);
        String first = language.pick(PATHS);
        String change = change(first);
        update = RandomLanguage.parse("{" + change
                + (first.equals("n") || change.contains("$rename") || language.below(3) > 0 ? "" : ", " + other(change))
                + "}");
        if (update.toJson().contains("$[i]")) {
            arrayFilters.add(RandomLanguage.parse(language.pick(
                    "{i: {$gte: 1}}",
                    "{i: {$type: 'number'}}",
                    "{'i.a': {$exists: true}}",
                    "{$or: [{i: 2}, {'i.b': null}]}")));
        }
        if (update.toJson().contains("b.$\"") || update.toJson().contains("b.$.")) {
            condition = RandomLanguage.parse(language.pick(
                    "{b: " + language.number() + "}",
                    "{b: {$gt: " + language.number() + "}}",
                    "{b: {$in: [" + language.number() + ", 'x']}}",
                    "{b: {$elemMatch: {$gte: " + language.number() + ", $lt: 3}}}",
                    "{b: {$elemMatch: {a: {$exists: true}}}}",
                    "{'b.a': {$lte: " + language.number() + "}}"));
        }
    }

    BsonDocument update() {
        return update;
    }

    /** What the document has to satisfy; of one array at most, of which the first element that does is the one meant. */
    BsonDocument condition() {
        return condition;
    }

    List<BsonDocument> arrayFilters() {
        return arrayFilters;
    }

    /** Of a field that no other path names. */
    private String other(String change) {
        return change.startsWith("$set:")
                ? "$inc: {k: " + language.number() + "}"
                : "$set: {k: " + language.value(1) + "}";
    }

    private String change(String path) {
        return switch (language.below(17)) {
            case 0, 1, 2 -> "$set: {'" + path + "': " + language.value(2) + "}";
            case 3 -> "$unset: {'" + path + "': 1}";
            case 4, 5 -> "$inc: {'" + path + "': " + language.number() + "}";
            case 6 -> "$mul: {'" + path + "': " + language.number() + "}";
            case 7 -> "$min: {'" + path + "': " + language.scalar() + "}";
            case 8 -> "$max: {'" + path + "': " + language.scalar() + "}";
            case 9 -> "$push: {'" + path + "': " + language.scalar() + "}";
            case 10 ->
                "$push: {'" + path + "': {$each: [" + language.value(1) + ", " + language.scalar() + "]" + modifiers()
                        + "}}";
            case 11 ->
                "$addToSet: {'" + path + "': "
                        + language.pick(
                                language.scalar(), "{$each: [" + language.scalar() + ", " + language.value(1) + "]}")
                        + "}";
            case 12 ->
                "$pull: {'" + path + "': "
                        + language.pick(
                                language.scalar(),
                                "{$gt: " + language.scalar() + "}",
                                "{a: " + language.scalar() + "}",
                                "{$in: [" + language.scalar() + ", 1]}")
                        + "}";
            case 13 -> "$pop: {'" + path + "': " + language.pick("1", "-1") + "}";
            case 14 -> "$pullAll: {'" + path + "': [" + language.scalar() + ", " + language.value(1) + "]}";
            case 15 ->
                "$bit: {'" + path + "': {" + language.pick("and", "or", "xor") + ": "
                        + language.pick("1", "6", "NumberLong(3)") + "}}";
            default ->
                "$rename: {'" + language.pick("a", "c", "c.b", "a.b") + "': '" + language.pick("z", "n.m", "b") + "'}";
        };
    }

    private String modifiers() {
        return language.pick("", ", $position: 1", ", $position: -1", ", $position: 7")
                + language.pick("", "", ", $sort: 1", ", $sort: -1", ", $sort: {a: 1}", ", $sort: {b: -1}")
                + language.pick("", ", $slice: 2", ", $slice: -2", ", $slice: 0");
    }
}
