package dev.semel.query.filter;

import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code $jsonSchema}: draft 4 with {@code bsonType} added, as far as MongoDB has it. */
final class SchemaParser {
    private static final int DEPTH_MAX = 100;
    private static final JsonSchema ANYTHING = new JsonSchema(List.of());
    private static final Set<String> UNSUPPORTED = Set.of("$ref", "$schema", "default", "definitions", "format", "id");

    private final FilterScope scope;
    private final Collation collation;
    private int depth;

    SchemaParser(FilterScope scope) {
        this.scope = scope;
        this.collation = scope.collation();
    }

    JsonSchema parse(RawDocument schema) {
        if (++depth > DEPTH_MAX) {
            throw new CommandException(ErrorCode.BadValue, "exceeded maximum schema depth of %d", DEPTH_MAX);
        }
        var rules = new ArrayList<JsonSchema.Rule>();
        scope.environment().parsed(1);
        for (Element keyword : schema) {
            scope.environment().parsed(1);
            keyword(keyword.name(), keyword.value(), schema, rules);
        }
        together(schema, rules);
        depth--;
        return new JsonSchema(List.copyOf(rules));
    }

    private void keyword(String name, Value value, RawDocument schema, List<JsonSchema.Rule> rules) {
        switch (name) {
            case "bsonType" -> {
                if (schema.has("type")) {
                    throw failed("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
                }
                rules.add(new JsonSchema.Rule.OfType(types(name, value)));
            }
            case "type" -> rules.add(new JsonSchema.Rule.OfType(jsonTypes(name, value)));
            case "enum" -> rules.add(new JsonSchema.Rule.OneOfValues(values(name, value), collation));
            case "multipleOf" -> rules.add(multipleOf(value));
            case "pattern" -> rules.add(new JsonSchema.Rule.MatchesPattern(regex(string(name, value))));
            case "required" -> rules.add(new JsonSchema.Rule.Required(names(name, value)));
            case "uniqueItems" -> {
                if (bool(name, value)) {
                    rules.add(new JsonSchema.Rule.UniqueItems(collation));
                }
            }
            case "dependencies" -> dependencies(document(name, value), rules);
            case "allOf" -> rules.add(new JsonSchema.Rule.Combined(Combination.ALL_OF, schemas(name, value)));
            case "anyOf" -> rules.add(new JsonSchema.Rule.Combined(Combination.ANY_OF, schemas(name, value)));
            case "oneOf" -> rules.add(new JsonSchema.Rule.Combined(Combination.ONE_OF, schemas(name, value)));
            case "not" ->
                rules.add(new JsonSchema.Rule.Combined(Combination.NOT, List.of(parse(document(name, value)))));
            case "title", "description" -> string(name, value);
            case "encrypt" -> rules.add(encrypted(schema, document(name, value)));
            case "encryptMetadata" -> checkEncryptMetadata(document(name, value));
            case "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "minLength",
                    "maxLength",
                    "minItems",
                    "maxItems",
                    "minProperties",
                    "maxProperties",
                    "properties",
                    "patternProperties",
                    "additionalProperties",
                    "items",
                    "additionalItems" -> {}
            default -> {
                if (UNSUPPORTED.contains(name)) {
                    throw failed("$jsonSchema keyword '%s' is not currently supported", name);
                }
                throw failed("Unknown $jsonSchema keyword: %s", name);
            }
        }
    }

    private RegexPattern regex(String pattern) {
        return scope.regex(pattern, "");
    }

    /** What a client that encrypts stores in place of values; the server can see that they are encrypted, and their type. */
    private static JsonSchema.Rule encrypted(RawDocument schema, RawDocument encrypt) {
        if (schema.has("type") || schema.has("bsonType")) {
            throw failed("Cannot specify $jsonSchema keyword 'encrypt' with 'type' or 'bsonType'");
        }
        for (Element each : encrypt) {
            switch (each.name()) {
                case "bsonType", "keyId", "algorithm" -> {}
                default -> throw unknownField("encrypt", each);
            }
        }
        Value type = encrypt.get("bsonType");
        return new JsonSchema.Rule.Encrypted(type == null ? Set.of() : types("bsonType", type));
    }

    /** For the clients that encrypt, which keep it in the validator. */
    private static void checkEncryptMetadata(RawDocument metadata) {
        for (Element each : metadata) {
            switch (each.name()) {
                case "algorithm" -> string("encryptMetadata.algorithm", each.value());
                case "keyId" -> {
                    if (!(each.value() instanceof Value.Array || each.value() instanceof Value.Str)) {
                        throw failed("$jsonSchema keyword 'keyId' must be an array of UUIDs or a JSON pointer");
                    }
                }
                default -> throw unknownField("encryptMetadata", each);
            }
        }
    }

    private static CommandException unknownField(String keyword, Element field) {
        return new CommandException(
                ErrorCode.location(40415), "BSON field '%s.%s' is an unknown field.", keyword, field.name());
    }

    /** The keywords that only mean something beside each other. */
    private void together(RawDocument schema, List<JsonSchema.Rule> rules) {
        bound(schema, "minimum", "exclusiveMinimum", Comparison.GTE, Comparison.GT, rules);
        bound(schema, "maximum", "exclusiveMaximum", Comparison.LTE, Comparison.LT, rules);
        if (schema.has("minLength") || schema.has("maxLength")) {
            rules.add(new JsonSchema.Rule.Length(
                    count(schema, "minLength", 0), count(schema, "maxLength", Long.MAX_VALUE)));
        }
        if (schema.has("minItems") || schema.has("maxItems")) {
            rules.add(new JsonSchema.Rule.ItemCount(
                    count(schema, "minItems", 0), count(schema, "maxItems", Long.MAX_VALUE)));
        }
        if (schema.has("minProperties") || schema.has("maxProperties")) {
            rules.add(new JsonSchema.Rule.FieldCount(
                    count(schema, "minProperties", 0), count(schema, "maxProperties", Long.MAX_VALUE)));
        }
        properties(schema, rules);
        items(schema, rules);
    }

    private static void bound(
            RawDocument schema,
            String name,
            String exclusive,
            Comparison inclusiveOrder,
            Comparison exclusiveOrder,
            List<JsonSchema.Rule> rules) {
        Value bound = schema.get(name);
        Value flag = schema.get(exclusive);
        if (flag != null && bound == null) {
            throw failed("$jsonSchema keyword '%s' must be a present if %s is present", name, exclusive);
        }
        if (bound != null) {
            boolean excluded = flag != null && bool(exclusive, flag);
            rules.add(new JsonSchema.Rule.Bound(excluded ? exclusiveOrder : inclusiveOrder, number(name, bound)));
        }
    }

    private static JsonSchema.Rule multipleOf(Value value) {
        Value divisor = number("multipleOf", value);
        if (Numbers.isNaN(divisor) || Numbers.doubleOf(divisor) <= 0) {
            throw failed("$jsonSchema keyword 'multipleOf' must have a positive value");
        }
        return new JsonSchema.Rule.MultipleOf(divisor);
    }

    private void dependencies(RawDocument dependencies, List<JsonSchema.Rule> rules) {
        for (Element each : dependencies) {
            JsonSchema schema = switch (each.value()) {
                case Value.Doc(RawDocument inner) -> parse(inner);
                case Value.Array ignored ->
                    new JsonSchema(List.of(new JsonSchema.Rule.Required(names("dependencies", each.value()))));
                default ->
                    throw mismatch(
                            "$jsonSchema keyword 'dependencies' property %s must be either an object or an array",
                            each.name());
            };
            rules.add(new JsonSchema.Rule.Dependency(each.name(), schema));
        }
    }

    private void properties(RawDocument schema, List<JsonSchema.Rule> rules) {
        Value properties = schema.get("properties");
        Value patterns = schema.get("patternProperties");
        Value others = schema.get("additionalProperties");
        if (properties == null && patterns == null && others == null) {
            return;
        }
        Map<String, JsonSchema> named = new LinkedHashMap<>();
        if (properties != null) {
            for (Element each : document("properties", properties)) {
                named.put(each.name(), nested("properties", each));
            }
        }
        Map<RegexPattern, JsonSchema> byPattern = new LinkedHashMap<>();
        if (patterns != null) {
            for (Element each : document("patternProperties", patterns)) {
                byPattern.put(regex(each.name()), nested("patternProperties", each));
            }
        }
        rules.add(new JsonSchema.Rule.Properties(named, byPattern, others("additionalProperties", others)));
    }

    private void items(RawDocument schema, List<JsonSchema.Rule> rules) {
        Value items = schema.get("items");
        JsonSchema others = others("additionalItems", schema.get("additionalItems"));
        switch (items) {
            case null -> {}
            case Value.Doc(RawDocument each) -> rules.add(new JsonSchema.Rule.Items(List.of(), parse(each)));
            case Value.Array(RawDocument elements) -> {
                var first = new ArrayList<JsonSchema>();
                for (Element each : elements) {
                    first.add(nested("items", each));
                }
                rules.add(new JsonSchema.Rule.Items(List.copyOf(first), others));
            }
            default -> throw mismatch("$jsonSchema keyword 'items' must be an array or an object");
        }
    }

    /** The schema for properties that no other rule covers; null forbids them. */
    private @Nullable JsonSchema others(String keyword, @Nullable Value value) {
        return switch (value) {
            case null -> ANYTHING;
            case Value.Bool(boolean allowed) -> allowed ? ANYTHING : null;
            case Value.Doc(RawDocument schema) -> parse(schema);
            default -> throw mismatch("$jsonSchema keyword '%s' must be either an object or a boolean", keyword);
        };
    }

    private JsonSchema nested(String keyword, Element element) {
        if (!(element.value() instanceof Value.Doc(RawDocument schema))) {
            throw mismatch(
                    "Nested schema for $jsonSchema keyword '%s' property '%s' must be an object",
                    keyword, element.name());
        }
        return parse(schema);
    }

    private List<JsonSchema> schemas(String keyword, Value value) {
        var schemas = new ArrayList<JsonSchema>();
        for (Element each : array(keyword, value)) {
            if (!(each.value() instanceof Value.Doc(RawDocument schema))) {
                throw mismatch(
                        "$jsonSchema keyword '%s' must be an array of objects, but found an element of type %s",
                        keyword, each.value().type());
            }
            schemas.add(parse(schema));
        }
        if (schemas.isEmpty()) {
            throw new CommandException(
                    ErrorCode.BadValue, "$jsonSchema keyword '%s' must be a non-empty array", keyword);
        }
        return List.copyOf(schemas);
    }

    private static Set<BsonType> types(String keyword, Value value) {
        Set<BsonType> types = EnumSet.noneOf(BsonType.class);
        for (String alias : aliases(keyword, value)) {
            types.addAll(FieldFilters.typesNamed(alias));
        }
        return types;
    }

    private static Set<BsonType> jsonTypes(String keyword, Value value) {
        Set<BsonType> types = EnumSet.noneOf(BsonType.class);
        for (String alias : aliases(keyword, value)) {
            types.addAll(
                    switch (alias) {
                        case "object" -> Set.of(BsonType.DOCUMENT);
                        case "array" -> Set.of(BsonType.ARRAY);
                        case "string" -> Set.of(BsonType.STRING);
                        case "boolean" -> Set.of(BsonType.BOOLEAN);
                        case "null" -> Set.of(BsonType.NULL);
                        case "number" -> FieldFilters.typesNamed("number");
                        case "integer" -> throw failed("$jsonSchema type 'integer' is not currently supported.");
                        default -> throw new CommandException(ErrorCode.BadValue, "Unknown type name alias: %s", alias);
                    });
        }
        return types;
    }

    private static List<String> aliases(String keyword, Value value) {
        if (value instanceof Value.Str(var alias)) {
            return List.of(alias.toString());
        }
        if (!(value instanceof Value.Array)) {
            throw mismatch("$jsonSchema keyword '%s' must be either a string or an array of strings", keyword);
        }
        return names(keyword, value);
    }

    private static List<String> names(String keyword, Value value) {
        var names = new LinkedHashSet<String>();
        for (Element each : array(keyword, value)) {
            if (!(each.value() instanceof Value.Str(var name))) {
                throw mismatch(
                        "$jsonSchema keyword '%s' must be an array of strings, but found an element of type %s",
                        keyword, each.value().type());
            }
            if (!names.add(name.toString())) {
                throw failed("$jsonSchema keyword '%s' array cannot contain duplicate values", keyword);
            }
        }
        if (names.isEmpty()) {
            throw failed("$jsonSchema keyword '%s' cannot be an empty array", keyword);
        }
        return List.copyOf(names);
    }

    private static List<Value> values(String keyword, Value value) {
        var values = new ArrayList<Value>();
        array(keyword, value).forEach(each -> values.add(each.value()));
        if (values.isEmpty()) {
            throw failed("$jsonSchema keyword '%s' cannot be an empty array", keyword);
        }
        return List.copyOf(values);
    }

    private static RawDocument array(String keyword, Value value) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw mismatch("$jsonSchema keyword '%s' must be an array", keyword);
        }
        return elements;
    }

    private static RawDocument document(String keyword, Value value) {
        if (!(value instanceof Value.Doc(RawDocument document))) {
            throw mismatch("$jsonSchema keyword '%s' must be an object", keyword);
        }
        return document;
    }

    private static String string(String keyword, Value value) {
        if (!(value instanceof Value.Str(var text))) {
            throw mismatch("$jsonSchema keyword '%s' must be of type string", keyword);
        }
        return text.toString();
    }

    private static boolean bool(String keyword, Value value) {
        if (!(value instanceof Value.Bool(boolean bool))) {
            throw mismatch("$jsonSchema keyword '%s' must be a boolean", keyword);
        }
        return bool;
    }

    private static Value number(String keyword, Value value) {
        if (!Numbers.isNumber(value)) {
            throw mismatch("$jsonSchema keyword '%s' must be a number", keyword);
        }
        return value;
    }

    private static long count(RawDocument schema, String keyword, long otherwise) {
        Value value = schema.get(keyword);
        return value == null ? otherwise : WholeNumbers.parseNonNegative(keyword, value, ErrorCode.FailedToParse);
    }

    private static CommandException failed(String message, Object... arguments) {
        return new CommandException(ErrorCode.FailedToParse, message, arguments);
    }

    private static CommandException mismatch(String message, Object... arguments) {
        return new CommandException(ErrorCode.TypeMismatch, message, arguments);
    }
}
