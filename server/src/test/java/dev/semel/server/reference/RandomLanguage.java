package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/** Documents, indexes and filters over few names and few values, so that they often have to do with each other. */
class RandomLanguage {
    private static final String[] NAMES = {"a", "b", "c"};
    private static final String[] PATHS = {
        "a", "b", "c", "d", "e", "s", "a.b", "b.a", "c.b", "a.b.c", "b.0", "b.0.a", "b.b", "c.a"
    };
    private static final String[] NUMBERS = {
        "0", "1", "2", "3", "1.5", "2.0", "NumberLong(2)", "NumberDecimal('2')", "NumberDecimal('0.5')", "-1"
    };
    private static final String[] OTHERS = {
        "null",
        "'x'",
        "'xy'",
        "'X'",
        "''",
        "true",
        "false",
        "{$date: 5}",
        "{$numberDouble: 'NaN'}",
        "[]",
        "{}",
        "[1, 2]"
    };

    private static final int FOCUSED = 3;

    final Random random;

    /** Paths that are more frequent than others, so that indexes and queries meet. */
    private final List<String> focus;

    RandomLanguage(Random random) {
        this.random = random;
        List<String> paths = new ArrayList<>(List.of(PATHS));
        Collections.shuffle(paths, random);
        if (below(3) == 0) {
            // Through the same arrays.
            String name = pick(NAMES);
            paths.sort(Comparator.comparing((String each) -> !each.startsWith(name)));
        }
        focus = List.copyOf(paths.subList(0, FOCUSED));
    }

    final String pick(String... from) {
        return from[random.nextInt(from.length)];
    }

    final int below(int bound) {
        return random.nextInt(bound);
    }

    static BsonDocument parse(String json) {
        return BsonDocument.parse(json);
    }

    // ---- documents: anything in a, b and c, numbers in d, always an int in e, texts in s

    BsonDocument document(int id) {
        List<String> fields = new ArrayList<>(List.of("_id: " + id));
        for (String name : NAMES) {
            if (below(4) > 0) {
                fields.add(name + ": " + value(2));
            }
        }
        if (below(8) > 0) {
            fields.add("d: " + number());
        }
        fields.add("e: " + below(8));
        if (below(6) > 0) {
            fields.add("s: " + pick("'x'", "'xy'", "'X'", "'Xa'", "''", "null"));
        }
        return parse("{" + String.join(", ", fields) + "}");
    }

    final String number() {
        return pick(NUMBERS);
    }

    final String scalar() {
        return below(3) > 0 ? number() : pick(OTHERS);
    }

    final String value(int depth) {
        int kind = below(10);
        if (depth > 0 && kind < 2) {
            return fields(depth - 1);
        }
        if (depth > 0 && kind < 5) {
            List<String> elements = new ArrayList<>();
            for (int i = below(4); i > 0; i--) {
                elements.add(below(3) == 0 ? fields(depth - 1) : value(depth - 1));
            }
            return "[" + String.join(", ", elements) + "]";
        }
        return scalar();
    }

    private String fields(int depth) {
        List<String> fields = new ArrayList<>();
        for (String name : NAMES) {
            if (below(2) > 0) {
                fields.add(name + ": " + value(depth));
            }
        }
        return "{" + String.join(", ", fields) + "}";
    }

    // ---- indexes

    BsonDocument index(int number) {
        List<String> paths = new ArrayList<>();
        List<String> key = new ArrayList<>();
        for (int i = 1 + below(3); i > 0; i--) {
            String path = path();
            if (!paths.contains(path)) {
                paths.add(path);
                key.add("'" + path + "': "
                        + (below(10) == 0 && !key.toString().contains("hashed") ? "'hashed'" : pick("1", "-1")));
            }
        }
        if (below(3) == 0) {
            key.add("_id: " + pick("1", "-1"));
        }
        String keys = below(6) > 0
                ? "{" + String.join(", ", key) + "}"
                : pick("{'$**': 1}", "{'a.$**': 1}", "{'b.$**': -1}", "{c: 1, 'a.$**': 1}", "{'b.$**': 1, e: -1}");
        String options = keys.contains("$")
                ? ""
                : switch (below(5)) {
                    case 0 -> ", sparse: true";
                    case 1 -> ", partialFilterExpression: {'" + path() + "': " + partial() + "}";
                    default -> "";
                };
        String collation = below(5) == 0 ? ", collation: {locale: 'en', strength: 2}" : "";
        return parse("{name: 'i" + number + "', key: " + keys + options + collation + "}");
    }

    /** One that has an order behind single values. */
    BsonDocument focusedIndex() {
        return parse("{name: 'f', key: {'%s': %s, '%s': %s, _id: %s}}"
                .formatted(focus.get(0), pick("1", "-1"), focus.get(1), pick("1", "-1"), pick("1", "-1")));
    }

    private String partial() {
        return pick("{$exists: true}", "{$gt: " + below(3) + "}", "{$lte: " + below(3) + "}", "{$type: 'string'}", "2");
    }

    // ---- filters

    final String path() {
        return below(3) > 0 ? focus.get(below(FOCUSED)) : pick(PATHS);
    }

    /** A path without a position in an array, which looks like the name of a field. */
    final String name() {
        String path = path();
        return path.matches(".*[0-9].*") ? pick("a", "d", "s", "b.a", "c") : path;
    }

    /** An order in which no two documents are equal. */
    final String order() {
        if (below(3) == 0 && !focus.get(1).matches(".*[0-9].*")) {
            return "{'%s': %s, _id: %s}".formatted(focus.get(1), pick("1", "-1"), pick("1", "-1"));
        }
        List<String> paths = new ArrayList<>();
        for (int i = 1 + below(2); i > 0; i--) {
            paths.add(name());
        }
        return paths.stream()
                .distinct()
                .map(each -> "'" + each + "': " + pick("1", "-1"))
                .collect(Collectors.joining(", ", "{", ", _id: " + pick("1", "-1") + "}"));
    }

    String filter() {
        return filter(0);
    }

    private String filter(int depth) {
        List<String> clauses = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        if (depth == 0 && below(4) == 0) {
            paths.add(focus.getFirst());
            clauses.add("'" + focus.getFirst() + "': {$in: [" + operand() + ", " + scalar() + ", " + scalar() + "]}");
        }
        for (int i = below(4); i > 0; i--) {
            String path = path();
            if (!paths.contains(path)) {
                paths.add(path);
                clauses.add("'" + path + "': " + condition(depth));
            }
        }
        if (depth < 2 && below(4) == 0) {
            clauses.add(
                    pick("$or", "$or", "$and", "$nor") + ": [" + filter(depth + 1) + ", " + filter(depth + 1) + "]");
        }
        if (depth == 0 && below(6) == 0) {
            clauses.add("$expr: " + predicate());
        }
        return "{" + String.join(", ", clauses) + "}";
    }

    private String operand() {
        return below(6) == 0 ? value(1) : scalar();
    }

    final String condition(int depth) {
        return switch (below(20)) {
            case 0, 1, 2 -> operand();
            case 3 -> "{$eq: " + operand() + "}";
            case 4 -> "{$gt: " + operand() + "}";
            case 5 -> "{$gte: " + scalar() + ", $lt: " + scalar() + "}";
            case 6 -> "{$lte: " + operand() + "}";
            case 7 -> "{$lt: " + operand() + "}";
            case 8 -> "{$in: [" + operand() + ", " + scalar() + "]}";
            case 9 -> "{$ne: " + operand() + "}";
            case 10 -> "{$nin: [" + scalar() + ", " + operand() + "]}";
            case 11 -> "{$exists: " + random.nextBoolean() + "}";
            case 12 ->
                "{$type: '" + pick("number", "string", "array", "null", "object", "int", "double", "bool") + "'}";
            case 13 -> "{$elemMatch: {$gte: " + scalar() + ", $lte: " + scalar() + "}}";
            case 14 -> depth > 1 ? "1" : "{$elemMatch: " + filter(depth + 1) + "}";
            case 15 -> "{$not: {" + pick("$gt", "$lt", "$gte", "$eq") + ": " + scalar() + "}}";
            case 16 -> "{$regex: '^" + pick("x", "X", "xy") + "'}";
            case 17 -> "{$size: " + below(3) + "}";
            case 18 -> "{$all: [" + operand() + (below(2) == 0 ? "" : ", " + scalar()) + "]}";
            default -> "{$mod: [2, " + below(2) + "]}";
        };
    }

    // ---- expressions

    final String field() {
        return "'$" + pick("a", "b", "c", "d", "e", "s", "a.b", "b.a", "c.b") + "'";
    }

    private String predicate() {
        return switch (below(6)) {
            case 0 -> "{$and: [" + compared() + ", " + compared() + "]}";
            case 1 -> "{$or: [" + compared() + ", " + compared() + "]}";
            case 2 -> "{$not: [" + compared() + "]}";
            default -> compared();
        };
    }

    private String compared() {
        String operator = pick("$eq", "$ne", "$gt", "$gte", "$lt", "$lte");
        return "{" + operator + ": [" + field() + ", " + (below(3) == 0 ? field() : "{$literal: " + scalar() + "}")
                + "]}";
    }

    final String expression() {
        return switch (below(12)) {
            case 0 -> "{" + pick("$add", "$subtract", "$multiply") + ": ['$e', " + number() + "]}";
            case 1 -> "{" + pick("$add", "$subtract", "$multiply") + ": ['$d', '$e']}";
            case 2 -> "{$cond: [" + predicate() + ", " + field() + ", {$literal: " + scalar() + "}]}";
            case 3 -> "{$ifNull: [" + field() + ", " + number() + "]}";
            case 4 -> "{$cond: [{$isArray: '$b'}, {$size: '$b'}, -1]}";
            case 5 -> "{$cond: [{$isArray: '$b'}, {$arrayElemAt: ['$b', " + (below(5) - 2) + "]}, '$e']}";
            case 6 -> "{$type: " + field() + "}";
            case 7 -> "[{x: " + field() + ", y: '$e'}]";
            case 8 -> "[" + field() + ", " + field() + "]";
            case 9 -> "{$cmp: [" + field() + ", " + field() + "]}";
            case 10 -> "{$cond: [{$isArray: '$a'}, {$concatArrays: ['$a', [1]]}, '$s']}";
            default -> field();
        };
    }
}
