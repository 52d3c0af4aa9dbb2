package dev.semel.query.filter;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * One condition of a filter as its author wrote it, beside what {@link Filters} made of it: each condition is one filter, in
 * the order in which they are written.
 *
 * @param specification with the field that it is about: {@code {a: {$gt: 5}}}
 */
record Clause(String operator, RawDocument specification, Filter filter) {
    private record Written(String operator, RawDocument specification) {
        Clause with(Filter filter) {
            return new Clause(operator, specification, filter);
        }
    }

    /** The conditions of a document, all of which have to hold. */
    static List<Clause> all(RawDocument specification, Filter filter) {
        List<Written> written = new ArrayList<>();
        for (Element element : specification) {
            if (!Filters.isOperator(element.name())) {
                field(element, written);
            } else if (!element.name().equals("$comment")) {
                written.add(new Written(element.name(), document(element)));
            }
        }
        return paired(written, filter);
    }

    /** What a {@code $not} denies of the field. */
    List<Clause> denied() {
        Element field = only(specification);
        Value denied = field.value() instanceof Value.Doc(RawDocument operators)
                ? only(operators).value()
                : field.value();
        List<Written> written = new ArrayList<>();
        field(new Element(field.name(), denied), written);
        return paired(written, filter instanceof Filter.Not(Filter inner) ? inner : filter);
    }

    /** What {@code $and}, {@code $or} and {@code $nor} combine. */
    List<Branch> branches() {
        List<RawDocument> written = new ArrayList<>();
        if (only(specification).value() instanceof Value.Array(RawDocument elements)) {
            for (Element each : elements) {
                written.add(each.value() instanceof Value.Doc(RawDocument branch) ? branch : RawDocument.EMPTY);
            }
        }
        List<Filter> filters = filters(written.size());
        List<Branch> branches = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            branches.add(new Branch(filters.get(i), all(written.get(i), filters.get(i))));
        }
        return branches;
    }

    private List<Filter> filters(int size) {
        return switch (filter) {
            case Filter.Nor(List<Filter> none) when operator.equals("$nor") -> none;
            case Filter.And(List<Filter> all) when size > 1 -> all;
            case Filter.Or(List<Filter> any) when size > 1 -> any;
            default -> List.of(filter);
        };
    }

    private static void field(Element field, List<Written> into) {
        if (!(field.value() instanceof Value.Doc(RawDocument operators)) || !Filters.beginsWithOperator(operators)) {
            into.add(new Written(field.value() instanceof Value.Regex ? "$regex" : "$eq", document(field)));
            return;
        }
        for (Element each : operators) {
            switch (each.name()) {
                case "$comment", "$options" -> {}
                case "$regex" -> into.add(new Written("$regex", within(field.name(), regex(operators))));
                default -> into.add(new Written(each.name(), within(field.name(), document(each))));
            }
        }
    }

    /** The one operator that two fields spell. */
    private static RawDocument regex(RawDocument operators) {
        BsonWriter both = new BsonWriter(64);
        for (Element each : operators) {
            if (each.name().equals("$regex") || each.name().equals("$options")) {
                both.put(each.name(), each.value());
            }
        }
        return both.finish();
    }

    private static RawDocument within(String field, RawDocument operator) {
        return document(new Element(field, new Value.Doc(operator)));
    }

    private static RawDocument document(Element element) {
        return new BsonWriter(64).put(element.name(), element.value()).finish();
    }

    private static Element only(RawDocument document) {
        return document.iterator().next();
    }

    /** One condition is compiled to itself, several to their conjunction. */
    private static List<Clause> paired(List<Written> written, Filter filter) {
        if (written.size() == 1) {
            return List.of(written.getFirst().with(filter));
        }
        List<Clause> clauses = new ArrayList<>();
        if (filter instanceof Filter.And(List<Filter> all) && all.size() == written.size()) {
            for (int i = 0; i < all.size(); i++) {
                clauses.add(written.get(i).with(all.get(i)));
            }
        } else if (!written.isEmpty()) {
            throw new IllegalStateException(written + " is not what was compiled to " + filter);
        }
        return clauses;
    }

    /** What is combined with others, with its own conditions. */
    record Branch(Filter filter, List<Clause> clauses) {}
}
