package dev.semel.server.catalog;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Mismatch;
import dev.semel.query.value.Collation;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorDetails;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What documents of a collection must match to be written.. The level {@code moderate}
 * leaves a document alone that did not match before either; the action {@code warn} lets everything pass and says so in
 * the log.
 */
final class Validator {
    private static final System.Logger LOG = System.getLogger(Validator.class.getName());

    private final @Nullable Supplier<Filter> filters;
    private final RawDocument rule;
    private final boolean moderate;
    private final boolean warns;

    private Validator(@Nullable Supplier<Filter> filters, RawDocument rule, boolean moderate, boolean warns) {
        this.filters = filters;
        this.rule = rule;
        this.moderate = moderate;
        this.warns = warns;
    }

    static Validator of(RawDocument options, Collation collation, StoredFilters parser) {
        if (!(options.get("validator") instanceof Value.Doc(RawDocument rule))
                || rule.isEmpty()
                || Value.of("off").equals(options.get("validationLevel"))) {
            return new Validator(null, RawDocument.EMPTY, false, false);
        }
        return new Validator(
                parser.shared(rule, collation),
                rule,
                Value.of("moderate").equals(options.get("validationLevel")),
                Value.of("warn").equals(options.get("validationAction")));
    }

    /** To be matched by one thread at a time; null if anything goes. */
    private @Nullable Filter filter() {
        return filters == null ? null : filters.get();
    }

    boolean accepts(RawDocument document) {
        Filter filter = filter();
        return filter == null || matches(filter, document);
    }

    void check(RawDocument document) {
        Filter filter = filter();
        if (filter == null || matches(filter, document)) {
            return;
        }
        if (warns) {
            LOG.log(System.Logger.Level.WARNING, "Document would fail validation: _id {0}", document.get("_id"));
            return;
        }
        throw failure(filter, document);
    }

    void checkUpdate(RawDocument before, RawDocument after) {
        Filter filter = filter();
        if (filter == null || (moderate && !matches(filter, before))) {
            return;
        }
        check(after);
    }

    /** As in MongoDB, a filter that fails does not match; the explanation names the error. */
    private static boolean matches(Filter filter, RawDocument document) {
        try {
            return filter.matches(document);
        } catch (CommandException e) {
            return false;
        }
    }

    private CommandException failure(Filter filter, RawDocument document) {
        RawDocument info = new BsonWriter()
                .put("errInfo", Mismatch.explain(filter, rule, document))
                .finish();
        return new CommandException(ErrorCode.DocumentValidationFailure, "Document failed validation")
                .withDetails(new ErrorDetails(info));
    }
}
