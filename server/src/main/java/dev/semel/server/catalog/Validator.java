package dev.semel.server.catalog;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorDetails;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * What documents of a collection must match to be written.
 *
 * @param filter null if anything goes
 * @param moderate leaves a document alone that did not match before either
 * @param warns lets everything pass and says so in the log
 */
record Validator(@Nullable Filter filter, @Nullable RawDocument expression, boolean moderate, boolean warns) {
    private static final System.Logger LOG = System.getLogger(Validator.class.getName());
    private static final Validator NONE = new Validator(null, null, false, false);

    static Validator of(RawDocument options) {
        if (!(options.get("validator") instanceof Value.Doc(RawDocument expression))
                || expression.isEmpty()
                || Value.of("off").equals(options.get("validationLevel"))) {
            return NONE;
        }
        return new Validator(
                Filters.parse(expression, FilterScope.NONE),
                expression,
                Value.of("moderate").equals(options.get("validationLevel")),
                Value.of("warn").equals(options.get("validationAction")));
    }

    void check(RawDocument document) {
        if (filter == null || filter.matches(document)) {
            return;
        }
        if (warns) {
            LOG.log(System.Logger.Level.WARNING, "Document would fail validation: _id {0}", document.get("_id"));
            return;
        }
        throw failure(document);
    }

    void checkUpdate(RawDocument before, RawDocument after) {
        if (filter == null || (moderate && !filter.matches(before))) {
            return;
        }
        check(after);
    }

    private CommandException failure(RawDocument document) {
        BsonWriter info = new BsonWriter().startDocument("errInfo");
        Value id = document.get("_id");
        if (id != null) {
            info.put("failingDocumentId", id);
        }
        RawDocument rule = expression == null ? RawDocument.EMPTY : expression;
        boolean schema = rule.has("$jsonSchema");
        info.startDocument("details")
                .put("operatorName", schema ? "$jsonSchema" : operator(rule))
                .put("specifiedAs", rule)
                .put("reason", "the document does not match the collection's validator")
                .end();
        return new CommandException(ErrorCode.DocumentValidationFailure, "Document failed validation")
                .withDetails(new ErrorDetails(info.end().finish()));
    }

    private static String operator(RawDocument rule) {
        var first = rule.first();
        return first == null || !first.name().startsWith("$") ? "$and" : first.name();
    }
}
