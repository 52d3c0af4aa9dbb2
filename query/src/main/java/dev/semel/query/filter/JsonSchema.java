package dev.semel.query.filter;

import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A parsed {@code $jsonSchema}: the rules that a value must satisfy, all of them. A rule about strings does not apply to
 * numbers, as in JSON Schema; only {@link Rule.OfType} and {@link Rule.OneOfValues} apply to every value.
 */
public record JsonSchema(List<Rule> rules) {
    public static JsonSchema parse(RawDocument schema, FilterScope scope) {
        return new SchemaParser(scope).parse(schema);
    }

    public boolean allows(RawDocument document) {
        return allows(Value.of(document));
    }

    boolean allows(Value value) {
        for (Rule rule : rules) {
            if (!rule.allows(value)) {
                return false;
            }
        }
        return true;
    }

    /** One keyword of a schema, or several that only mean something together. */
    sealed interface Rule {
        boolean allows(Value value);

        record OfType(Set<BsonType> types) implements Rule {
            @Override
            public boolean allows(Value value) {
                return types.contains(value.type());
            }
        }

        record OneOfValues(List<Value> values, Collation collation) implements Rule {
            @Override
            public boolean allows(Value value) {
                return values.stream().anyMatch(each -> collation.equal(each, value));
            }
        }

        /** {@code minimum} and {@code maximum}: how the value may compare with the bound. */
        record Bound(Comparison comparison, Value bound) implements Rule {
            boolean isMaximum() {
                return comparison == Comparison.LT || comparison == Comparison.LTE;
            }

            @Override
            public boolean allows(Value value) {
                if (!Numbers.isNumber(value)) {
                    return true;
                }
                if (Numbers.isNaN(value) || Numbers.isNaN(bound)) {
                    return Numbers.isNaN(value) && Numbers.isNaN(bound) && comparison.allowsEqual();
                }
                return comparison.allows(Numbers.compare(value, bound));
            }
        }

        record MultipleOf(Value divisor) implements Rule {
            @Override
            public boolean allows(Value value) {
                return !Numbers.isNumber(value) || Numbers.isZero(Numbers.mod(value, divisor));
            }
        }

        /** In code points. */
        record Length(long min, long max) implements Rule {
            @Override
            public boolean allows(Value value) {
                if (!(value instanceof Value.Str(var text))) {
                    return true;
                }
                String string = text.toString();
                int length = string.codePointCount(0, string.length());
                return min <= length && length <= max;
            }
        }

        record MatchesPattern(RegexPattern pattern) implements Rule {
            @Override
            public boolean allows(Value value) {
                return !(value instanceof Value.Str(var text)) || pattern.matches(text.toString());
            }
        }

        /**
         * What a client has encrypted.
         *
         * @param types of what is encrypted; empty for any
         */
        record Encrypted(Set<BsonType> types) implements Rule {
            private static final byte SUBTYPE = 6;

            /** Of the bytes: a byte for the algorithm, 16 for the key's id, one for the type. */
            private static final int TYPE_AT = 17;

            static boolean isEncrypted(Value value) {
                return value instanceof Value.Binary(byte subtype, byte[] ignored) && subtype == SUBTYPE;
            }

            @Override
            public boolean allows(Value value) {
                if (!(value instanceof Value.Binary(byte ignored, byte[] bytes)) || !isEncrypted(value)) {
                    return false;
                }
                return types.isEmpty()
                        || (bytes.length > TYPE_AT && types.stream().anyMatch(each -> each.code() == bytes[TYPE_AT]));
            }
        }

        record Required(List<String> names) implements Rule {
            @Override
            public boolean allows(Value value) {
                return !(value instanceof Value.Doc(RawDocument document))
                        || names.stream().allMatch(document::has);
            }
        }

        record FieldCount(long min, long max) implements Rule {
            @Override
            public boolean allows(Value value) {
                if (!(value instanceof Value.Doc(RawDocument document))) {
                    return true;
                }
                int size = document.size();
                return min <= size && size <= max;
            }
        }

        /** What each field must be by its name, and the rest if that is restricted: the empty schema's opposite is null. */
        record Properties(
                Map<String, JsonSchema> named,
                Map<RegexPattern, JsonSchema> byPattern,
                @Nullable JsonSchema others) implements Rule {
            @Override
            public boolean allows(Value value) {
                if (!(value instanceof Value.Doc(RawDocument document))) {
                    return true;
                }
                for (Element field : document) {
                    if (!allowsField(field)) {
                        return false;
                    }
                }
                return true;
            }

            /** Whether a field has a schema of its own. */
            boolean covers(String name) {
                return named.containsKey(name) || byPattern.keySet().stream().anyMatch(each -> each.matches(name));
            }

            private boolean allowsField(Element field) {
                JsonSchema own = named.get(field.name());
                if (own != null && !own.allows(field.value())) {
                    return false;
                }
                boolean known = own != null;
                for (var each : byPattern.entrySet()) {
                    if (each.getKey().matches(field.name())) {
                        known = true;
                        if (!each.getValue().allows(field.value())) {
                            return false;
                        }
                    }
                }
                return known || (others != null && others.allows(field.value()));
            }
        }

        /** A document with this field must keep the schema, too. */
        record Dependency(String name, JsonSchema schema) implements Rule {
            @Override
            public boolean allows(Value value) {
                return !(value instanceof Value.Doc(RawDocument document))
                        || !document.has(name)
                        || schema.allows(value);
            }
        }

        /** The first elements by position, and the rest by one schema; null if there must be no rest. */
        record Items(List<JsonSchema> first, @Nullable JsonSchema others) implements Rule {
            @Override
            public boolean allows(Value value) {
                if (!(value instanceof Value.Array(RawDocument elements))) {
                    return true;
                }
                int i = 0;
                for (Element element : elements) {
                    JsonSchema schema = i < first.size() ? first.get(i) : others;
                    if (schema == null || !schema.allows(element.value())) {
                        return false;
                    }
                    i++;
                }
                return true;
            }
        }

        record ItemCount(long min, long max) implements Rule {
            @Override
            public boolean allows(Value value) {
                if (!(value instanceof Value.Array(RawDocument elements))) {
                    return true;
                }
                int size = elements.size();
                return min <= size && size <= max;
            }
        }

        record UniqueItems(Collation collation) implements Rule {
            @Override
            public boolean allows(Value value) {
                if (!(value instanceof Value.Array(RawDocument elements))) {
                    return true;
                }
                var seen = new TreeSet<Value>(collation::compare);
                for (Element element : elements) {
                    if (!seen.add(element.value())) {
                        return false;
                    }
                }
                return true;
            }
        }

        /** {@code allOf}, {@code anyOf}, {@code oneOf}, {@code not}: how many of the schemas must allow the value. */
        record Combined(Combination combination, List<JsonSchema> schemas) implements Rule {
            @Override
            public boolean allows(Value value) {
                long count = schemas.stream().filter(each -> each.allows(value)).count();
                return combination.allows(count, schemas.size());
            }
        }
    }
}
