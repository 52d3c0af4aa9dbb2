package dev.semel.query.filter;

import dev.semel.query.filter.JsonSchema.Rule;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Explains the rules of a schema about documents. Each adds elements to the array that is open in the writer. */
final class ObjectMismatch {
    private final SchemaMismatch schemas;
    private final MismatchWriter out;

    ObjectMismatch(SchemaMismatch schemas, MismatchWriter out) {
        this.schemas = schemas;
        this.out = out;
    }

    void properties(Rule.Properties properties, RawDocument specification, Value value) {
        RawDocument document = document(value);
        named(properties.named(), specification, document);
        others(properties, specification, document);
        byPattern(properties.byPattern(), specification, document);
    }

    private void named(Map<String, JsonSchema> named, RawDocument specification, RawDocument document) {
        Map<String, Value> unsatisfied = new HashMap<>();
        for (Element field : document) {
            JsonSchema schema = named.get(field.name());
            if (schema != null && !SchemaMismatch.isSatisfied(schema, field.value())) {
                unsatisfied.putIfAbsent(field.name(), field.value());
            }
        }
        if (unsatisfied.isEmpty()) {
            return;
        }
        Map<String, RawDocument> specifications = SchemaMismatch.named(specification, "properties");
        out.startDocument().operator("properties").startArray("propertiesNotSatisfied");
        named.forEach((name, schema) -> {
            Value value = unsatisfied.get(name);
            if (value != null) {
                RawDocument nested = specifications.getOrDefault(name, RawDocument.EMPTY);
                out.startDocument().put("propertyName", name);
                schemas.annotations(nested);
                schemas.details(schema, nested, value);
                out.end();
            }
        });
        out.end().end();
    }

    private void others(Rule.Properties properties, RawDocument specification, RawDocument document) {
        JsonSchema others = properties.others();
        List<Element> additional = new ArrayList<>();
        for (Element field : document) {
            if (!properties.covers(field.name())
                    && (others == null || !SchemaMismatch.isSatisfied(others, field.value()))) {
                additional.add(field);
            }
        }
        if (additional.isEmpty()) {
            return;
        }
        out.startDocument();
        if (others == null) {
            out.operator("additionalProperties", SchemaMismatch.written(specification, "additionalProperties"))
                    .strings(
                            "additionalProperties",
                            additional.stream().map(Element::name).toList());
        } else {
            RawDocument nested = SchemaMismatch.nested(specification, "additionalProperties");
            out.operator("additionalProperties");
            schemas.annotations(nested);
            out.reason("at least one additional property did not match the subschema")
                    .put("failingProperty", additional.getFirst().name());
            schemas.details(others, nested, additional.getFirst().value());
        }
        out.end();
    }

    private void byPattern(Map<RegexPattern, JsonSchema> byPattern, RawDocument specification, RawDocument document) {
        Map<RegexPattern, Element> unsatisfied = new HashMap<>();
        byPattern.forEach((pattern, schema) -> {
            for (Element field : document) {
                if (pattern.matches(field.name()) && !SchemaMismatch.isSatisfied(schema, field.value())) {
                    unsatisfied.put(pattern, field);
                    return;
                }
            }
        });
        if (unsatisfied.isEmpty()) {
            return;
        }
        Map<String, RawDocument> specifications = SchemaMismatch.named(specification, "patternProperties");
        out.startDocument().operator("patternProperties").startArray("details");
        byPattern.forEach((pattern, schema) -> {
            Element field = unsatisfied.get(pattern);
            if (field == null) {
                return;
            }
            RawDocument nested = specifications.getOrDefault(pattern.pattern(), RawDocument.EMPTY);
            out.startDocument().put("propertyName", field.name());
            schemas.annotations(nested);
            out.put("regexMatched", pattern.pattern());
            schemas.details(schema, nested, field.value());
            out.end();
        });
        out.end().end();
    }

    /** In the order of the alphabet, whatever the author's. */
    void required(Rule.Required required, RawDocument specification, Value value) {
        RawDocument document = document(value);
        out.startDocument()
                .operator("required", SchemaMismatch.written(specification, "required"))
                .strings(
                        "missingProperties",
                        required.names().stream()
                                .filter(each -> !document.has(each))
                                .sorted()
                                .toList())
                .end();
    }

    void count(Rule.FieldCount count, RawDocument specification, Value value) {
        int size = document(value).size();
        if (size < count.min()) {
            count("minProperties", size, specification);
        }
        if (size > count.max()) {
            count("maxProperties", size, specification);
        }
    }

    private void count(String keyword, int size, RawDocument specification) {
        out.startDocument()
                .operator(keyword, SchemaMismatch.written(specification, keyword))
                .reason("specified number of properties was not satisfied")
                .put("numberOfProperties", size)
                .end();
    }

    /** @param unsatisfied the rules that are not satisfied, those about other things among them */
    void dependencies(List<Rule> unsatisfied, RawDocument specification, Value value, boolean isWhole) {
        Map<String, RawDocument> specifications = SchemaMismatch.named(specification, "dependencies");
        Set<String> ofNames = namesOnly(SchemaMismatch.nested(specification, "dependencies"));
        out.startDocument().operator("dependencies").startArray("failingDependencies");
        for (Rule each : unsatisfied) {
            if (each instanceof Rule.Dependency(String name, JsonSchema schema)) {
                out.startDocument().put("conditionalProperty", name);
                if (ofNames.contains(name)) {
                    out.strings("missingProperties", missing(schema, document(value)));
                } else {
                    schemas.details(schema, specifications.getOrDefault(name, RawDocument.EMPTY), value, isWhole);
                }
                out.end();
            }
        }
        out.end().end();
    }

    /** The dependencies that name other properties rather than give a schema. */
    private static Set<String> namesOnly(RawDocument dependencies) {
        Set<String> names = new HashSet<>();
        for (Element each : dependencies) {
            if (each.value() instanceof Value.Array) {
                names.add(each.name());
            }
        }
        return names;
    }

    private static List<String> missing(JsonSchema schema, RawDocument document) {
        return schema.rules().stream()
                .flatMap(each -> each instanceof Rule.Required(List<String> names) ? names.stream() : Stream.of())
                .filter(each -> !document.has(each))
                .toList();
    }

    private static RawDocument document(Value value) {
        return value instanceof Value.Doc(RawDocument document) ? document : RawDocument.EMPTY;
    }
}
