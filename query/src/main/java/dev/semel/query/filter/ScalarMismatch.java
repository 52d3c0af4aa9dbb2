package dev.semel.query.filter;

import dev.semel.query.filter.JsonSchema.Rule;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/** Explains the rules of a schema about numbers, strings and values as such. Each adds an element to the array that is open. */
final class ScalarMismatch {
    private final MismatchWriter out;

    ScalarMismatch(MismatchWriter out) {
        this.out = out;
    }

    void type(RawDocument specification, Value value) {
        String keyword = specification.has("bsonType") ? "bsonType" : "type";
        out.startDocument()
                .operator(keyword, SchemaMismatch.written(specification, keyword))
                .reason("type did not match")
                .consideredValue(value)
                .put("consideredType", value.type().alias())
                .end();
    }

    /** A document is one of the values only if some of them are documents. */
    void oneOf(Rule.OneOfValues values, RawDocument specification, Value value, boolean isWhole) {
        if (isWhole && values.values().stream().noneMatch(Value.Doc.class::isInstance)) {
            out.startDocument()
                    .operator("enum", SchemaMismatch.written(specification, "enum"))
                    .reason("expression always evaluates to false")
                    .end();
        } else {
            keyword("enum", "value was not found in enum", specification, value);
        }
    }

    void encrypted(Value value) {
        out.startDocument()
                .operator("encrypt")
                .reason(
                        Rule.Encrypted.isEncrypted(value)
                                ? "encrypted value has wrong type"
                                : "value was not encrypted")
                .end();
    }

    void bound(Rule.Bound bound, RawDocument specification, Value value) {
        String keyword = bound.isMaximum() ? "maximum" : "minimum";
        BsonWriter written = new BsonWriter(64).put(keyword, bound.bound());
        if (!bound.comparison().allowsEqual()) {
            written.put(bound.isMaximum() ? "exclusiveMaximum" : "exclusiveMinimum", true);
        }
        out.startDocument()
                .operator(keyword, written.finish())
                .reason("comparison failed")
                .consideredValue(value)
                .end();
    }

    void length(Rule.Length length, RawDocument specification, Value value) {
        String reason = "specified string length was not satisfied";
        if (!new Rule.Length(0, length.max()).allows(value)) {
            keyword("maxLength", reason, specification, value);
        }
        if (!new Rule.Length(length.min(), Long.MAX_VALUE).allows(value)) {
            keyword("minLength", reason, specification, value);
        }
    }

    void multipleOf(RawDocument specification, Value value) {
        keyword("multipleOf", "considered value is not a multiple of the specified value", specification, value);
    }

    void pattern(RawDocument specification, Value value) {
        keyword("pattern", "regular expression did not match", specification, value);
    }

    private void keyword(String keyword, String reason, RawDocument specification, Value value) {
        out.startDocument()
                .operator(keyword, SchemaMismatch.written(specification, keyword))
                .reason(reason)
                .consideredValue(value)
                .end();
    }
}
