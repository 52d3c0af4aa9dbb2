package dev.semel.query.filter;

import dev.semel.query.geo.GeoPredicate;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;

/** Explains what is asked of the values of one field. */
final class FieldMismatch {
    private final RawDocument document;
    private final MismatchWriter out;

    FieldMismatch(RawDocument document, MismatchWriter out) {
        this.document = document;
        this.out = out;
    }

    /** @param met whether to explain that a value meets the condition, that is, what it was compiled to before any denial */
    void explain(Clause clause, boolean met) {
        out.operator(clause.operator(), clause.specification());
        Element field = clause.specification().iterator().next();
        DottedPath path = DottedPath.of(field.name());
        switch (clause.operator()) {
            case "$exists" -> out.reason(met ? "path does exist" : "path does not exist");
            case "$type" -> type(ConsideredValues.ofElements(path, document), met);
            case "$geoWithin", "$within", "$geoIntersects" -> geo(clause.operator(), path, met);
            default -> test(FieldTest.of(clause.operator()), path, met);
        }
    }

    private void test(FieldTest test, DottedPath path, boolean met) {
        ConsideredValues considered = test.asksElements()
                ? ConsideredValues.ofElements(path, document)
                : ConsideredValues.whole(path, document);
        if (isMissing(considered)) {
            return;
        }
        if (test.types().isEmpty() || considered.types().stream().anyMatch(test.types()::contains)) {
            out.reason(met ? test.met() : test.unmet());
        } else {
            out.reason("type did not match")
                    .types("consideredType", "consideredTypes", considered.types())
                    .types("expectedType", "expectedTypes", test.types());
        }
        out.consideredValues(considered);
    }

    private void type(ConsideredValues considered, boolean met) {
        if (!isMissing(considered)) {
            out.reason(met ? "type did match" : "type did not match")
                    .consideredValues(considered)
                    .types("consideredType", "consideredTypes", considered.types());
        }
    }

    private void geo(String operator, DottedPath path, boolean met) {
        ConsideredValues considered = ConsideredValues.ofElements(path, document);
        if (isMissing(considered)) {
            return;
        }
        // An array may be a place, whose elements are none.
        if (hasGeometry(considered.values())
                || hasGeometry(ConsideredValues.whole(path, document).values())) {
            out.reason(geoReason(operator.equals("$geoIntersects"), met));
        } else {
            out.reason("could not find a valid geometry at the given path");
        }
        out.consideredValues(considered);
    }

    private static boolean hasGeometry(List<Value> values) {
        return values.stream().anyMatch(GeoPredicate::isGeometry);
    }

    /** The apostrophes are MongoDB's. */
    private static String geoReason(boolean intersects, boolean met) {
        if (intersects) {
            return met
                    ? "at least one of considered geometries intersected the expression’s geometry"
                    : "none of the considered geometries intersected the expression’s geometry";
        }
        return met
                ? "at least one of considered geometries was contained within the expression’s geometry"
                : "none of the considered geometries were contained within the expression’s geometry";
    }

    private boolean isMissing(ConsideredValues considered) {
        if (!considered.exists()) {
            out.reason("field was missing");
        }
        return !considered.exists();
    }
}
