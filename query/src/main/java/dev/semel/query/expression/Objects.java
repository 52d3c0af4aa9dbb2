package dev.semel.query.expression;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code $mergeObjects $getField $setField $unsetField $objectToArray $arrayToObject $bsonSize}. */
final class Objects {
    private Objects() {}

    // ---- $mergeObjects

    static Value merge(@Nullable Value[] arguments, Scratch scratch) {
        Merge merge = new Merge(scratch);
        // A single argument may be an array of the objects.
        if (arguments.length == 1 && arguments[0] instanceof Value.Array(var elements)) {
            for (var at = elements.cursor(); at.next(); ) {
                merge.add(at.value());
            }
        } else {
            for (Value argument : arguments) {
                merge.add(argument);
            }
        }
        return Value.of(merge.document());
    }

    /** Collects the fields of objects, those of the later where several have them; null and missing add nothing. */
    private static final class Merge {
        private final Scratch scratch;
        private final Map<Text, Value> fields = new LinkedHashMap<>();

        Merge(Scratch scratch) {
            this.scratch = scratch;
        }

        void add(@Nullable Value value) {
            if (!Types.isNullish(value)) {
                for (ElementCursor at = object(value).cursor(); at.next(); ) {
                    fields.put(at.nameText(), at.value());
                    scratch.collecting(2 * fields.size());
                }
            }
        }

        RawDocument document() {
            return Objects.document(fields, scratch);
        }
    }

    private static RawDocument object(@Nullable Value value) {
        if (!(value instanceof Value.Doc(var document))) {
            throw Types.wrong(
                    40400,
                    "$mergeObjects requires object inputs, but input %s is of type %s",
                    Types.show(value),
                    Types.name(value));
        }
        return document;
    }

    /** The fields of both, those of the second where both have them; null and missing add nothing. */
    static RawDocument merge(RawDocument into, @Nullable Value value, Scratch scratch) {
        if (Types.isNullish(value)) {
            return into;
        }
        RawDocument document = object(value);
        if (into.isEmpty() || document.isEmpty()) {
            return into.isEmpty() ? document : into;
        }
        Merge merge = new Merge(scratch);
        merge.add(Value.of(into));
        merge.add(value);
        return merge.document();
    }

    private static RawDocument document(Map<Text, Value> fields, Scratch scratch) {
        scratch.keep();
        BsonWriter writer = new BsonWriter(128);
        fields.forEach((name, value) -> {
            writer.put(name, value);
            scratch.building(writer);
        });
        return writer.finish();
    }

    // ---- $getField, $setField, $unsetField

    private static final Parameters GET = Parameters.of(3041701, 3041701)
            .saying(Parameters.FOUND, Parameters.REQUIRES)
            .required("field", 3041702)
            .required("input", 3041703);

    static Expression get(String name, Value operand, Parser parser) {
        boolean named = operand instanceof Value.Doc(var document) && (document.has("field") || document.has("input"));
        List<Expression> arguments = named
                ? GET.parse(name, operand).positional(parser)
                : List.of(parser.operand(operand), parser.operand(Value.of("$$CURRENT")));
        return new Expression.Call(new Function(name, Objects::get), arguments);
    }

    private static @Nullable Value get(@Nullable Value[] arguments) {
        Text field = fieldName("$getField", 3041704, arguments[0]);
        return switch (arguments[1]) {
            case Value.Doc(var document) -> document.get(field.toBytes());
            case null -> null;
            default -> Types.isNullish(arguments[1]) ? Value.NULL : null;
        };
    }

    private static Text fieldName(String function, int code, @Nullable Value value) {
        if (!(value instanceof Value.Str(var text))) {
            throw Types.wrong(
                    code, "%s requires 'field' to evaluate to type String, but got %s", function, Types.name(value));
        }
        return text;
    }

    private static final Parameters SET = Parameters.of(4161100, 4161101)
            .saying(Parameters.FOUND, Parameters.REQUIRES)
            .required("field", 4161102)
            .required("input", 4161109)
            .required("value", 4161103);

    private static final Parameters UNSET = Parameters.of(4161110, 4161111)
            .saying(Parameters.FOUND, Parameters.REQUIRES)
            .required("field", 4161112)
            .required("input", 4161113);

    static Expression set(String name, Value operand, Parser parser) {
        List<Expression> arguments = SET.parse(name, operand).positional(parser);
        checkConstantName(name, arguments.get(0));
        return new Expression.Call(new Function(name, values -> set(name, values, values[2])), arguments);
    }

    static Expression unset(String name, Value operand, Parser parser) {
        List<Expression> arguments = UNSET.parse(name, operand).positional(parser);
        checkConstantName(name, arguments.get(0));
        return new Expression.Call(new Function(name, values -> set(name, values, null)), arguments);
    }

    private static void checkConstantName(String function, Expression field) {
        if (!(field instanceof Expression.Literal(var value))) {
            throw Types.wrong(4161106, "%s requires 'field' to evaluate to a constant", function);
        }
        if (!(value instanceof Value.Str(var name))) {
            throw Types.wrong(
                    4161107,
                    "%s requires 'field' to evaluate to a constant String, but got %s",
                    function,
                    Types.name(value));
        }
        if (name.toString().indexOf('\0') >= 0) {
            throw Types.wrong(9534700, "%s: 'field' must not contain an embedded null byte", function);
        }
    }

    private static Value set(String function, @Nullable Value[] arguments, @Nullable Value value) {
        if (Types.isNullish(arguments[1])) {
            return Value.NULL;
        }
        if (!(arguments[1] instanceof Value.Doc(var document))) {
            throw Types.wrong(4161105, "%s requires 'input' to evaluate to type Object", function);
        }
        Text field = fieldName(function, 4161107, arguments[0]);
        BsonWriter writer = new BsonWriter(document.length() + 64);
        boolean found = false;
        for (ElementCursor at = document.cursor(); at.next(); ) {
            if (!at.nameText().equals(field)) {
                writer.copy(at);
            } else {
                found = true;
                if (value != null) {
                    writer.put(field, value);
                }
            }
        }
        if (!found && value != null) {
            writer.put(field, value);
        }
        Sizes.check(writer.length());
        return Value.of(writer.finish());
    }

    // ---- $objectToArray, $arrayToObject

    static Value toArray(@Nullable Value[] arguments, Scratch scratch) {
        if (Types.isNullish(arguments[0])) {
            return Value.NULL;
        }
        if (!(arguments[0] instanceof Value.Doc(var document))) {
            throw Types.wrong(40390, "$objectToArray requires a document input, found: %s", Types.name(arguments[0]));
        }
        BsonWriter pairs = new BsonWriter(document.length() * 2);
        for (ElementCursor at = document.cursor(); at.next(); ) {
            pairs.startDocument()
                    .put("k", new Value.Str(at.nameText()))
                    .copy("v", at)
                    .end();
            scratch.building(pairs);
        }
        return pairs.finishArray();
    }

    static Value fromArray(@Nullable Value[] arguments, Scratch scratch) {
        if (Types.isNullish(arguments[0])) {
            return Value.NULL;
        }
        if (!(arguments[0] instanceof Value.Array(var elements))) {
            throw Types.wrong(40386, "$arrayToObject requires an array input, found: %s", Types.name(arguments[0]));
        }
        Map<Text, Value> fields = new LinkedHashMap<>();
        Value first = null;
        for (ElementCursor at = elements.cursor(); at.next(); ) {
            Value pair = at.value();
            first = first == null ? pair : first;
            switch (pair) {
                case Value.Array(var items) -> {
                    checkSame(40391, first, pair, "Object");
                    putPair(fields, items);
                }
                case Value.Doc(var document) -> {
                    checkSame(40396, first, pair, "Array");
                    putField(fields, document);
                }
                default ->
                    throw Types.wrong(40398, "Unrecognised input type format for $arrayToObject: %s", Types.name(pair));
            }
            scratch.collecting(2 * fields.size());
        }
        return Value.of(document(fields, scratch));
    }

    private static void checkSame(int code, Value first, Value now, String detected) {
        if (first.type() != now.type()) {
            throw Types.wrong(
                    code,
                    "$arrayToObject requires a consistent input format. Elements must all be arrays or all be objects. "
                            + "%s was detected, now found: %s",
                    detected,
                    Types.name(now));
        }
    }

    private static void putPair(Map<Text, Value> fields, RawDocument items) {
        if (items.size() != 2) {
            throw Types.wrong(
                    40397, "$arrayToObject requires an array of size 2 arrays,found array of size: %d", items.size());
        }
        ElementCursor at = items.cursor();
        at.next();
        Value key = at.value();
        at.next();
        if (!(key instanceof Value.Str(var name))) {
            throw Types.wrong(
                    40395,
                    "$arrayToObject requires an array of key-value pairs, where the key must be of type string. "
                            + "Found key type: %s",
                    Types.name(key));
        }
        put(fields, name, at.value());
    }

    private static void putField(Map<Text, Value> fields, RawDocument document) {
        if (document.size() != 2) {
            throw Types.wrong(
                    40392,
                    "$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:%d",
                    document.size());
        }
        Value key = document.get("k");
        Value value = document.get("v");
        if (key == null || value == null) {
            throw Types.wrong(
                    40393,
                    "$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys from: %s",
                    Types.show(Value.of(document)));
        }
        if (!(key instanceof Value.Str(var name))) {
            throw Types.wrong(
                    40394,
                    "$arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be of type "
                            + "string. Found type: %s",
                    Types.name(key));
        }
        put(fields, name, value);
    }

    private static void put(Map<Text, Value> fields, Text name, Value value) {
        if (name.toString().indexOf('\0') >= 0) {
            throw Types.wrong(4940400, "Key field cannot contain an embedded null byte");
        }
        fields.put(name, value);
    }

    static Value size(@Nullable Value[] arguments) {
        if (Types.isNullish(arguments[0])) {
            return Value.NULL;
        }
        if (!(arguments[0] instanceof Value.Doc(var document))) {
            throw Types.wrong(31393, "$bsonSize requires a document input, found: %s", Types.name(arguments[0]));
        }
        return Value.of(document.length());
    }
}
