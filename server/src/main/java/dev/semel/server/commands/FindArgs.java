package dev.semel.server.commands;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Searches;
import dev.semel.query.filter.TextPlacement;
import dev.semel.query.projection.Projection;
import dev.semel.query.value.Collation;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Collection;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.Batch;
import dev.semel.server.cursor.Opening;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.IdEquality;
import dev.semel.server.statement.Sorting;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What {@code find} asks for.
 *
 * @param limit 0 for none
 * @param batchSize null if the client leaves it to us
 * @param allowDiskUse whether a sort may write temporary files
 */
record FindArgs(
        Namespace collection,
        RawDocument filter,
        RawDocument sort,
        RawDocument projection,
        @Nullable Value hint,
        long skip,
        long limit,
        @Nullable Long batchSize,
        boolean singleBatch,
        RawDocument min,
        RawDocument max,
        boolean returnKey,
        boolean showRecordId,
        boolean noCursorTimeout,
        boolean tailable,
        boolean awaitData,
        boolean allowDiskUse,
        RawDocument let,
        @Nullable Collation collation) {

    static FindArgs parse(Arguments in, BooleanSupplier diskUseByDefault) {
        FindArgs args = new FindArgs(
                in.collection("find"),
                in.documentOrEmpty("filter"),
                in.documentOrEmpty("sort"),
                in.documentOrEmpty("projection"),
                Options.hint(in),
                in.nonNegative("skip", 0),
                in.nonNegative("limit", 0),
                in.has("batchSize") ? in.nonNegative("batchSize", 0) : null,
                in.bool("singleBatch", false),
                in.documentOrEmpty("min"),
                in.documentOrEmpty("max"),
                in.bool("returnKey", false),
                in.bool("showRecordId", false),
                in.bool("noCursorTimeout", false),
                in.bool("tailable", false),
                in.bool("awaitData", false),
                Options.allowDiskUse(in, diskUseByDefault),
                in.documentOrEmpty("let"),
                Options.collation(in));
        if (args.awaitData && !args.tailable) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "Cannot set 'awaitData' without also setting 'tailable'");
        }
        if (args.hint() == null && !(args.min().isEmpty() && args.max().isEmpty())) {
            throw new CommandException(
                    ErrorCode.location(51173), "When using min()/max() a hint of which index to use must be provided");
        }
        in.ignored("allowPartialResults", "oplogReplay");
        in.notHonoured("requestResumeToken", "resumeAfter", "startAt", "readOnce", "term");
        return args;
    }

    CommandException notCapped() {
        return new CommandException(
                ErrorCode.BadValue,
                "error processing query: ns=%s: tailable cursor requested on non capped collection",
                collection);
    }

    /** What has no meaning for a result that goes on. */
    void checkForTail(Call call) {
        if (call.transaction() != null) {
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction,
                    "A tailable cursor cannot be opened within a transaction");
        }
        Value natural = sort.get("$natural");
        boolean isForward = natural == null ? sort.isEmpty() : Value.of(1).equals(natural);
        if (!isForward) {
            throw new CommandException(
                    ErrorCode.BadValue, "cannot use tailable option with a sort other than {$natural: 1}");
        }
        if (singleBatch || limit < 0) {
            throw new CommandException(ErrorCode.BadValue, "cannot use tailable option with the 'singleBatch' option");
        }
    }

    // ---- what it means

    /** The {@code _id} of the one document that is asked for, where nothing else is asked: null otherwise. */
    @Nullable
    Value onlyId() {
        boolean isPlain = sort.isEmpty()
                && projection.isEmpty()
                && hint == null
                && skip == 0
                && min.isEmpty()
                && max.isEmpty()
                && !returnKey
                && !showRecordId
                && let.isEmpty()
                && collation == null
                && !tailable
                && (batchSize == null || batchSize > 0);
        return isPlain ? IdEquality.only(filter) : null;
    }

    /** What is shown of each document, once parsed; null for all of it. */
    @Nullable
    Projection shown(Filter parsed, FilterScope scope) {
        return projection.isEmpty() ? null : Projection.optimized(projection, parsed, scope);
    }

    Query query(Filter parsed, @Nullable Projection shown, FilterScope scope) {
        Query query = Query.of(parsed)
                .hinted(hint)
                .window(skip, limit)
                .between(min, max)
                .projected(projection)
                .usingDisk(allowDiskUse)
                .needing(needed(shown))
                .wantingTextScore(TextPlacement.isIn(parsed) && showsTextScore(shown));
        return Sorting.of(query, sort, scope.collation());
    }

    /** The fields that are shown; null for all, or if more than fields is shown. */
    private @Nullable Set<String> needed(@Nullable Projection shown) {
        if (shown == null || returnKey || showRecordId) {
            return null;
        }
        FieldSet fields = shown.fields();
        return fields.isWhole() || !fields.metadata().isEmpty() ? null : fields.names();
    }

    private static boolean showsTextScore(@Nullable Projection shown) {
        return shown != null && shown.metadata().contains(Metadata.TEXT_SCORE);
    }

    OplogReads.Search search() {
        return new OplogReads.Search(filter, sort, skip, limit, projection);
    }

    /** What is no collection has no indexes. */
    void checkForRecords() {
        if (tailable) {
            throw notCapped();
        }
        if (hint != null || returnKey || showRecordId) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "%s is no collection: hint, returnKey and showRecordId have no meaning",
                    collection);
        }
    }

    /** A view is read by a pipeline, which has no such options. */
    void checkForView() {
        boolean natural = sort.has("$natural");
        String option = returnKey
                ? "returnKey"
                : showRecordId
                        ? "showRecordId"
                        : tailable
                                ? "tailable"
                                : !min.isEmpty() ? "min" : !max.isEmpty() ? "max" : natural ? "$natural" : null;
        if (option != null) {
            throw new CommandException(
                    ErrorCode.InvalidPipelineOperator, "Option %s not supported in aggregation.", option);
        }
        for (var part : projection) {
            if (part.name().endsWith(".$") || isElemMatch(part.value())) {
                throw new CommandException(
                        ErrorCode.InvalidPipelineOperator,
                        "Projection of '%s' is not supported on a view",
                        part.name());
            }
        }
    }

    private static boolean isElemMatch(Value value) {
        return value instanceof Value.Doc(RawDocument operator) && operator.has("$elemMatch");
    }

    /** The same as a pipeline, for what is no collection. */
    List<RawDocument> stages() {
        List<RawDocument> stages = new ArrayList<>();
        add(stages, "$match", filter);
        add(stages, "$sort", sort);
        if (skip > 0) {
            stages.add(new BsonWriter().put("$skip", skip).finish());
        }
        if (limit > 0) {
            stages.add(new BsonWriter().put("$limit", limit).finish());
        }
        add(stages, "$project", projection);
        return stages;
    }

    private static void add(List<RawDocument> stages, String name, RawDocument specification) {
        if (!specification.isEmpty()) {
            stages.add(new BsonWriter().put(name, specification).finish());
        }
    }

    Opening opening() {
        Long size = batchSize;
        Batch first = size == null ? Batch.FIRST : new Batch(size);
        return new Opening(collection, first, singleBatch, !noCursorTimeout, 0);
    }

    /** What is shown of each document of a tail, which has neither keys nor record ids to show. */
    UnaryOperator<RawDocument> shapeOfDocument(Filter parsed, FilterScope scope) {
        Projection shown = shown(parsed, scope);
        return shown == null ? UnaryOperator.identity() : shown::apply;
    }

    /** What is shown of each document. */
    Function<Run, RawDocument> shape(Filter parsed, @Nullable Projection shown, FilterScope scope) {
        if (returnKey) {
            return Run::indexKey;
        }
        if (shown == null) {
            return showRecordId ? run -> withRecordId(run.document(), run.document()) : Run::document;
        }
        Metadata.check(shown.metadata(), Searches.metadata(parsed));
        Function<Run, RawDocument> shape = showRecordId
                ? run -> withRecordId(shown.apply(run.document()), run.document())
                : run -> shown.apply(run.document());
        SortPattern by = SortPattern.parse(sort.has("$natural") ? RawDocument.EMPTY : sort, scope.collation());
        return RunMetadata.of(shown.metadata(), by).before(shape, scope.environment());
    }

    /** Documents are stored in the order of their {@code _id}, so it is what other servers' record ids are. */
    private static RawDocument withRecordId(RawDocument shown, RawDocument document) {
        return new BsonWriter(shown.length() + 32)
                .copyAll(shown)
                .put("$recordId", Collection.id(document))
                .finish();
    }
}
