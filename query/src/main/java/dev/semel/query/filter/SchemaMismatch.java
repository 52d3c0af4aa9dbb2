package dev.semel.query.filter;

import dev.semel.query.filter.JsonSchema.Rule;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Explains why a value does not satisfy a schema, rule by rule. What is satisfied is not mentioned. */
final class SchemaMismatch {
    private final MismatchWriter out;
    private final ScalarMismatch scalars;
    private final ArrayMismatch arrays;
    private final ObjectMismatch objects;

    SchemaMismatch(MismatchWriter out) {
        this.out = out;
        this.scalars = new ScalarMismatch(out);
        this.arrays = new ArrayMismatch(this, out);
        this.objects = new ObjectMismatch(this, out);
    }

    /** Fills the document that is open in the writer. */
    void explain(JsonSchema schema, RawDocument specification, RawDocument document) {
        Value value = Value.of(document);
        if (excludesDocuments(schema)) {
            neverSatisfied(specification);
            return;
        }
        out.operator("$jsonSchema");
        annotations(specification);
        out.startArray("schemaRulesNotSatisfied");
        rules(schema, specification, value, true);
        out.end();
    }

    /** The rules that a value of a document does not satisfy, as an array. */
    void details(JsonSchema schema, RawDocument specification, Value value) {
        details(schema, specification, value, false);
    }

    /** @param isWhole whether the value is the document, which is no value of another kind */
    void details(JsonSchema schema, RawDocument specification, Value value, boolean isWhole) {
        if (isWhole && excludesDocuments(schema)) {
            out.startDocument("details");
            neverSatisfied(specification);
        } else {
            out.startArray("details");
            rules(schema, specification, value, isWhole);
        }
        out.end();
    }

    /** What the author says about a schema. */
    void annotations(RawDocument specification) {
        for (String each : List.of("title", "description")) {
            if (specification.get(each) instanceof Value.Str text) {
                out.put(each, text);
            }
        }
    }

    /** A rule that fails, as a pattern does that takes too long, is not satisfied. */
    static boolean isSatisfied(Rule rule, Value value) {
        try {
            return rule.allows(value);
        } catch (CommandException e) {
            return false;
        }
    }

    static boolean isSatisfied(JsonSchema schema, Value value) {
        return schema.rules().stream().allMatch(each -> isSatisfied(each, value));
    }

    /** The schemas that a keyword has by names. */
    static Map<String, RawDocument> named(RawDocument specification, String keyword) {
        Map<String, RawDocument> schemas = new HashMap<>();
        for (Element each : nested(specification, keyword)) {
            schemas.put(
                    each.name(), each.value() instanceof Value.Doc(RawDocument schema) ? schema : RawDocument.EMPTY);
        }
        return schemas;
    }

    /** As many schemas as a keyword has in its array. */
    static List<RawDocument> listed(RawDocument specification, String keyword, int size) {
        List<RawDocument> schemas = new ArrayList<>();
        if (specification.get(keyword) instanceof Value.Array(RawDocument elements)) {
            for (Element each : elements) {
                schemas.add(each.value() instanceof Value.Doc(RawDocument schema) ? schema : RawDocument.EMPTY);
            }
        }
        // A keyword that is written twice is read twice, and found once.
        while (schemas.size() < size) {
            schemas.add(RawDocument.EMPTY);
        }
        return schemas;
    }

    /** A schema that is the value of a keyword. */
    static RawDocument nested(RawDocument specification, String keyword) {
        return specification.get(keyword) instanceof Value.Doc(RawDocument nested) ? nested : RawDocument.EMPTY;
    }

    /** A keyword with what its author wrote. */
    static RawDocument written(RawDocument specification, String keyword) {
        Value value = specification.get(keyword);
        return value == null
                ? RawDocument.EMPTY
                : new BsonWriter(64).put(keyword, value).finish();
    }

    private static boolean excludesDocuments(JsonSchema schema) {
        return schema.rules().stream()
                .anyMatch(each -> each instanceof Rule.OfType(var types) && !types.contains(BsonType.DOCUMENT));
    }

    private void neverSatisfied(RawDocument specification) {
        out.operator(
                        "$jsonSchema",
                        new BsonWriter().put("$jsonSchema", specification).finish())
                .reason("expression always evaluates to false");
    }

    private void rules(JsonSchema schema, RawDocument specification, Value value, boolean isWhole) {
        List<Rule> unsatisfied = RuleOrder.of(schema).stream()
                .filter(each -> !isSatisfied(each, value))
                .toList();
        boolean dependencies = false;
        for (Rule rule : unsatisfied) {
            switch (rule) {
                case Rule.Items items -> arrays.items(items, specification, value);
                case Rule.ItemCount count -> arrays.count(count, specification, value);
                case Rule.UniqueItems unique -> arrays.unique(unique, specification, value);
                case Rule.Properties properties -> objects.properties(properties, specification, value);
                case Rule.Required required -> objects.required(required, specification, value);
                case Rule.FieldCount count -> objects.count(count, specification, value);
                case Rule.Dependency ignored -> {
                    // One rule for each field that others depend on, but one keyword.
                    if (!dependencies) {
                        objects.dependencies(unsatisfied, specification, value, isWhole);
                    }
                    dependencies = true;
                }
                case Rule.Combined combined -> combined(combined, specification, value, isWhole);
                case Rule.OneOfValues values -> scalars.oneOf(values, specification, value, isWhole);
                case Rule.OfType ignored -> scalars.type(specification, value);
                case Rule.Encrypted ignored -> scalars.encrypted(value);
                case Rule.Bound bound -> scalars.bound(bound, specification, value);
                case Rule.Length length -> scalars.length(length, specification, value);
                case Rule.MultipleOf ignored -> scalars.multipleOf(specification, value);
                case Rule.MatchesPattern ignored -> scalars.pattern(specification, value);
            }
        }
    }

    private void combined(Rule.Combined rule, RawDocument specification, Value value, boolean isWhole) {
        List<JsonSchema> schemas = rule.schemas();
        Combination combination = rule.combination();
        out.startDocument().operator(combination.keyword());
        if (combination == Combination.NOT) {
            out.reason("child expression matched").end();
            return;
        }
        BitSet satisfied = new BitSet();
        for (int i = 0; i < schemas.size(); i++) {
            satisfied.set(i, isSatisfied(schemas.get(i), value));
        }
        if (combination == Combination.ONE_OF && !satisfied.isEmpty()) {
            out.reason("more than one subschema matched").startArray("matchingSchemaIndexes");
            satisfied.stream().mapToObj(Value::of).forEach(out::add);
            out.end().end();
            return;
        }
        out.startArray("schemasNotSatisfied");
        List<RawDocument> specifications = listed(specification, combination.keyword(), schemas.size());
        for (int i = 0; i < schemas.size(); i++) {
            if (!satisfied.get(i)) {
                out.startDocument().put("index", i);
                annotations(specifications.get(i));
                details(schemas.get(i), specifications.get(i), value, isWhole);
                out.end();
            }
        }
        out.end().end();
    }
}
