package dev.semel.server.statement;

import dev.semel.query.delta.Form.Version;
import dev.semel.query.filter.Comparison;
import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.update.Update;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An update, understood: which documents, what becomes of them, what is inserted if there are none.
 *
 * @param suppliedNew what an upsert inserts, whatever the update; null to derive it
 */
public record Change(
        Namespace namespace,
        Target target,
        Update update,
        boolean upsert,
        @Nullable RawDocument suppliedNew,
        Bypass bypass,
        ObjectIds ids) {
    private static final ErrorCode RESULT_TOO_LARGE = ErrorCode.location(17419);
    private static final ErrorCode NEW_TOO_LARGE = ErrorCode.location(17420);

    /** The same object if nothing changes. */
    Version apply(RawDocument before) {
        Version version = update.apply(before, target.filter());
        RawDocument after = version.document();
        if (after != before) {
            if (after.length() > Limits.DOCUMENT_BYTES_MAX) {
                throw new CommandException(
                        RESULT_TOO_LARGE,
                        "Resulting document after update is larger than %d",
                        Limits.DOCUMENT_BYTES_MAX);
            }
            BsonValidation.checkStorable(after);
        }
        return version;
    }

    /** Whether it would make another document of this one. */
    public boolean changes(RawDocument before) {
        return apply(before).document() != before;
    }

    boolean isReplacement() {
        return update instanceof Update.Replacement;
    }

    /** What operators and pipelines make keeps its empty timestamps. */
    boolean keepsEmptyTimestamps() {
        return bypass.emptyTimestamps() || !isReplacement();
    }

    RawDocument newDocument() {
        RawDocument supplied = suppliedNew;
        RawDocument made = supplied != null ? supplied : update.upsert(target.filter(), Value.of(ids.next()));
        if (made.length() > Limits.DOCUMENT_BYTES_MAX) {
            throw new CommandException(
                    NEW_TOO_LARGE, "Document to upsert is larger than %d", Limits.DOCUMENT_BYTES_MAX);
        }
        return made;
    }

    /**
     * Whether an insert failed because of a document that the filter matches: if that one has been inserted since the
     * search, it is updated instead.
     */
    boolean isOwnDuplicate(CommandException failure) {
        if (!failure.code().equals(ErrorCode.DuplicateKey)
                || !(failure.details().fields().get("keyPattern") instanceof Value.Doc(RawDocument pattern))) {
            return false;
        }
        Set<String> fixed = new HashSet<>();
        equalities(target.filter(), fixed);
        for (var at = pattern.cursor(); at.next(); ) {
            if (!fixed.contains(at.name())) {
                return false;
            }
        }
        return true;
    }

    private static void equalities(Filter filter, Set<String> fixed) {
        switch (filter) {
            case Filter.And(var all) -> all.forEach(each -> equalities(each, fixed));
            case Filter.Field(DottedPath path, Condition.Compare compare)
            when compare.comparison() == Comparison.EQ -> fixed.add(path.toString());
            default -> {}
        }
    }
}
