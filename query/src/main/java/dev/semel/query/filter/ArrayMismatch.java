package dev.semel.query.filter;

import dev.semel.query.filter.JsonSchema.Rule;
import dev.semel.query.value.Collation;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Explains the rules of a schema about arrays. Each adds an element to the array that is open in the writer. */
final class ArrayMismatch {
    private final SchemaMismatch schemas;
    private final MismatchWriter out;

    ArrayMismatch(SchemaMismatch schemas, MismatchWriter out) {
        this.schemas = schemas;
        this.out = out;
    }

    void count(Rule.ItemCount count, RawDocument specification, Value value) {
        int size = elements(value).size();
        if (size < count.min()) {
            count("minItems", size, specification, value);
        }
        if (size > count.max()) {
            count("maxItems", size, specification, value);
        }
    }

    private void count(String keyword, int size, RawDocument specification, Value value) {
        out.startDocument()
                .operator(keyword, SchemaMismatch.written(specification, keyword))
                .reason("array did not match specified length")
                .consideredValue(value)
                .put("numberOfItems", size)
                .end();
    }

    void unique(Rule.UniqueItems unique, RawDocument specification, Value value) {
        out.startDocument()
                .operator("uniqueItems", SchemaMismatch.written(specification, "uniqueItems"))
                .reason("found a duplicate item")
                .consideredValue(value)
                .put("duplicatedValue", duplicate(elements(value), unique.collation()))
                .end();
    }

    private static Value duplicate(List<Value> elements, Collation collation) {
        var seen = new TreeSet<Value>(collation::compare);
        return elements.stream().filter(each -> !seen.add(each)).findFirst().orElse(Value.NULL);
    }

    void items(Rule.Items items, RawDocument specification, Value value) {
        List<Value> elements = elements(value);
        if (specification.get("items") instanceof Value.Doc) {
            rest("items", "At least one item did not match the sub-schema", items, specification, elements);
            return;
        }
        byPosition(items, specification, elements);
        if (items.others() == null && elements.size() > items.first().size()) {
            out.startDocument()
                    .operator("additionalItems", SchemaMismatch.written(specification, "additionalItems"))
                    .reason("found additional items")
                    .startArray("additionalItems");
            elements.stream().skip(items.first().size()).forEach(out::add);
            out.end().end();
        } else {
            rest(
                    "additionalItems",
                    "At least one additional item did not match the sub-schema",
                    items,
                    specification,
                    elements);
        }
    }

    private void byPosition(Rule.Items items, RawDocument specification, List<Value> elements) {
        List<Integer> unsatisfied = unsatisfied(items, elements);
        if (unsatisfied.isEmpty()) {
            return;
        }
        List<JsonSchema> first = items.first();
        List<RawDocument> specifications = SchemaMismatch.listed(specification, "items", first.size());
        out.startDocument().operator("items").startArray("details");
        for (int i : unsatisfied) {
            // As in MongoDB, a long integer here and nowhere else.
            out.startDocument().put("itemIndex", (long) i);
            schemas.details(first.get(i), specifications.get(i), elements.get(i));
            out.end();
        }
        out.end().end();
    }

    private static List<Integer> unsatisfied(Rule.Items items, List<Value> elements) {
        List<Integer> unsatisfied = new ArrayList<>();
        for (int i = 0; i < Math.min(items.first().size(), elements.size()); i++) {
            if (!SchemaMismatch.isSatisfied(items.first().get(i), elements.get(i))) {
                unsatisfied.add(i);
            }
        }
        return unsatisfied;
    }

    /** The first of the elements for which the positions have no schema. */
    private void rest(
            String keyword, String reason, Rule.Items items, RawDocument specification, List<Value> elements) {
        JsonSchema others = items.others();
        for (int i = items.first().size(); others != null && i < elements.size(); i++) {
            if (!SchemaMismatch.isSatisfied(others, elements.get(i))) {
                RawDocument nested = SchemaMismatch.nested(specification, keyword);
                out.startDocument().operator(keyword);
                schemas.annotations(nested);
                out.reason(reason).put("itemIndex", i);
                schemas.details(others, nested, elements.get(i));
                out.end();
                return;
            }
        }
    }

    private static List<Value> elements(Value value) {
        List<Value> elements = new ArrayList<>();
        if (value instanceof Value.Array(RawDocument array)) {
            for (Element each : array) {
                elements.add(each.value());
            }
        }
        return elements;
    }
}
