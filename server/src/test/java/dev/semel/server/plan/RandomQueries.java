package dev.semel.server.plan;

import dev.semel.query.value.Collation;
import dev.semel.server.catalog.Stored;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Documents, indexes, filters and sorts over few names and few values, so that they often have to do with each other. */
final class RandomQueries {
    private static final String[] PATHS = {"a", "b", "a.b", "a.c", "c", "a.b.c", "b.0"};
    private static final String[] FIELDS = {"a", "b", "c"};
    private static final String[] SCALARS = {
        "0",
        "1",
        "2",
        "3",
        "1.5",
        "null",
        "\"x\"",
        "\"xy\"",
        "\"X\"",
        "\"Xa\"",
        "\"\"",
        "true",
        "false",
        "{$numberDecimal: \"2\"}",
        "{$date: 5}",
        "{$minKey: 1}",
        "{$maxKey: 1}",
        "{$numberDouble: \"NaN\"}",
        "{$regularExpression: {pattern: \"^x\", options: \"\"}}",
        "{$timestamp: {t: 1, i: 1}}",
        "-1",
        "{$undefined: true}"
    };

    private static final String COLLATION = "{locale: \"en\", strength: 2}";

    private final Random random;

    RandomQueries(Random random) {
        this.random = random;
    }

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }

    // ---- documents

    RawDocument document(int id) {
        return Stored.json("{_id: " + id + fields(0, ", ") + "}");
    }

    private String fields(int depth, String before) {
        StringBuilder out = new StringBuilder();
        String separator = before;
        for (String field : FIELDS) {
            if (random.nextInt(3) > 0) {
                out.append(separator).append(field).append(": ").append(value(depth));
                separator = ", ";
            }
        }
        return out.toString();
    }

    private String value(int depth) {
        int kind = random.nextInt(10);
        if (depth < 3 && kind == 0) {
            return "{" + fields(depth + 1, "") + "}";
        }
        if (depth < 3 && kind <= 2) {
            List<String> elements = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                elements.add(random.nextInt(3) == 0 ? "{" + fields(depth + 1, "") + "}" : value(depth + 1));
            }
            return "[" + String.join(", ", elements) + "]";
        }
        return kind < 7 ? Integer.toString(random.nextInt(4)) : pick(SCALARS);
    }

    // ---- indexes

    String index(int number) {
        if (random.nextInt(6) == 0) {
            return wildcard(number);
        }
        List<String> fields = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        boolean hashed = random.nextInt(8) == 0;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            String path = pick(PATHS);
            if (!paths.contains(path)) {
                paths.add(path);
                String direction = random.nextBoolean() ? "1" : "-1";
                fields.add("\"" + path + "\": " + (hashed ? "\"hashed\"" : direction));
                hashed = false;
            }
        }
        String options = switch (random.nextInt(6)) {
            case 0 -> ", sparse: true";
            case 1 -> ", partialFilterExpression: {\"" + pick(PATHS) + "\": " + partial() + "}";
            default -> "";
        };
        String collation = random.nextInt(3) == 0 ? ", collation: " + COLLATION : "";
        return "{name: \"i" + number + "\", key: {" + String.join(", ", fields) + "}" + options + collation + "}";
    }

    private String wildcard(int number) {
        String key = pick(new String[] {
            "{\"$**\": 1}",
            "{\"$**\": -1}, wildcardProjection: {\"a.b\": 1, c: 1}",
            "{\"$**\": 1}, wildcardProjection: {\"a.b\": 0, _id: 1}",
            "{\"a.$**\": 1}",
            "{c: 1, \"$**\": 1}, wildcardProjection: {c: 0}",
            "{\"b.0\": -1, \"a.$**\": 1, c: 1}"
        });
        String collation = random.nextInt(3) == 0 ? ", collation: " + COLLATION : "";
        return "{name: \"i" + number + "\", key: " + key + collation + "}";
    }

    private String partial() {
        return switch (random.nextInt(4)) {
            case 0 -> "{$exists: true}";
            case 1 -> "{$gt: " + random.nextInt(3) + "}";
            case 2 -> "{$type: \"string\"}";
            default -> Integer.toString(random.nextInt(3));
        };
    }

    // ---- queries

    Collation collation() {
        Collation other = random.nextInt(3) == 0 ? Collation.parse(Stored.json(COLLATION)) : null;
        return other == null ? Collation.SIMPLE : other;
    }

    String path() {
        return pick(PATHS);
    }

    RawDocument filter() {
        return Stored.json("{" + conditions(0) + "}");
    }

    private String conditions(int depth) {
        List<String> all = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String path = pick(PATHS);
            if (!paths.contains(path)) {
                paths.add(path);
                all.add("\"" + path + "\": " + condition(depth));
            }
        }
        if (depth < 2 && random.nextInt(4) == 0) {
            String operator = pick(new String[] {"$or", "$or", "$and", "$nor"});
            all.add(operator + ": [{" + conditions(depth + 1) + "}, {" + conditions(depth + 1) + "}]");
        }
        return String.join(", ", all);
    }

    private String operand() {
        int kind = random.nextInt(12);
        return kind == 0 ? "[1, 2]" : kind == 1 ? "[]" : kind == 2 ? "{b: 1}" : scalar();
    }

    private String scalar() {
        String scalar = random.nextInt(3) > 0 ? Integer.toString(random.nextInt(4)) : pick(SCALARS);
        return scalar.contains("undefined") || scalar.contains("regular") ? "1" : scalar;
    }

    private String condition(int depth) {
        return switch (random.nextInt(18)) {
            case 0, 1, 2, 3 -> operand();
            case 4 -> "{$gt: " + operand() + "}";
            case 5 -> "{$gte: " + scalar() + ", $lt: " + scalar() + "}";
            case 6 -> "{$lte: " + operand() + "}";
            case 7 -> "{$in: [" + operand() + ", " + scalar() + ", " + scalar() + "]}";
            case 8 -> "{$ne: " + operand() + "}";
            case 9 -> "{$nin: [" + scalar() + ", " + scalar() + "]}";
            case 10 -> "{$exists: " + random.nextBoolean() + "}";
            case 11 -> "{$type: \"" + pick(new String[] {"number", "string", "array", "null", "object", "int"}) + "\"}";
            case 12 -> "{$elemMatch: {$gte: " + scalar() + ", $lte: " + scalar() + "}}";
            case 13 -> depth > 1 ? "1" : "{$elemMatch: {" + conditions(depth + 1) + "}}";
            case 14 -> "{$not: {$gt: " + scalar() + "}}";
            case 15 -> "{$regex: \"^x\"}";
            case 16 -> "{$size: " + random.nextInt(3) + "}";
            default -> "{$mod: [2, " + random.nextInt(2) + "]}";
        };
    }

    RawDocument sort() {
        List<String> fields = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            String path = pick(PATHS);
            if (!paths.contains(path)) {
                paths.add(path);
                fields.add("\"" + path + "\": " + (random.nextBoolean() ? 1 : -1));
            }
        }
        return Stored.json("{" + String.join(", ", fields) + "}");
    }
}
