package dev.semel.server.output;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.ExpressionSize;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldPath;
import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.Documents;
import dev.semel.server.output.OutputStage.Merge;
import dev.semel.server.output.OutputStage.NotMatched;
import dev.semel.server.statement.Bypass;
import dev.semel.server.statement.ObjectIds;
import dev.semel.server.statement.Outcome;
import dev.semel.server.statement.Write;
import dev.semel.server.statement.Writes;
import dev.semel.store.Snapshot;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code $merge}: each result becomes one statement on the document it is about. Statements share transactions; one that
 * fails ends the command, and what those before it have written stays.
 */
public final class Merging {
    private static final RawDocument NO_CHANGE =
            new BsonWriter().startDocument("$set").end().finish();
    private static final RawDocument OVER_EXISTING = overExisting();

    private final Catalog catalog;
    private final Transactions transactions;
    private final Writes writes;
    private final ObjectIds ids;

    public Merging(Catalog catalog, Transactions transactions, Writes writes, ObjectIds ids) {
        this.catalog = catalog;
        this.transactions = transactions;
        this.writes = writes;
        this.ids = ids;
    }

    private static RawDocument overExisting() {
        return new BsonWriter()
                .startDocument("0")
                .startDocument("$replaceWith")
                .startArray("$mergeObjects")
                .add(Value.of("$$ROOT"))
                .add(Value.of("$$new"))
                .end()
                .end()
                .end()
                .finish();
    }

    /** What a result finds by the fields must be one document at most. */
    void check(Merge stage) {
        identifying(stage);
    }

    /** The index that says so; null for the one on {@code _id}. */
    private @Nullable Index identifying(Merge stage) {
        if (stage.on().equals(List.of("_id")) && catalog.view(stage.target()) == null) {
            return null;
        }
        Set<String> wanted = Set.copyOf(stage.on());
        try (Snapshot snapshot = transactions.snapshot()) {
            Collection target = catalog.find(stage.target(), snapshot);
            for (Index each : target == null
                    ? List.<Index>of()
                    : target.requireDocuments().indexes()) {
                var fields = each.key().fields();
                boolean identifies = each.spec().unique()
                        && each.spec().partialFilter() == null
                        && fields.size() == wanted.size()
                        && fields.stream().allMatch(field -> wanted.contains(field.path()));
                if (identifies) {
                    return each;
                }
            }
        }
        throw new CommandException(
                ErrorCode.location(51183), "Cannot find index to verify that join fields will be unique");
    }

    void write(Merge stage, Documents results, Outputs.Manner manner, Call call) {
        Statement statement = new Statement(stage, identifying(stage), manner);
        Environment environment = manner.scope().environment();
        long mark = environment.mark();
        try {
            for (List<RawDocument> group = Group.next(results); !group.isEmpty(); group = Group.next(results)) {
                writes.together(
                        group.stream().map(statement::identified).toList(),
                        result -> statement.of(result, mark),
                        outcome -> check(outcome, stage),
                        call);
                environment.release(mark);
            }
        } finally {
            environment.release(mark);
            call.worksOn(stage.target());
        }
    }

    private static void check(Outcome outcome, Merge stage) {
        if (outcome instanceof Outcome.Updated(long matched, long modified, Value upserted)
                && matched == 0
                && upserted == null
                && stage.notMatched() == NotMatched.FAIL) {
            throw new CommandException(
                    ErrorCode.MergeStageNoMatchingDocument,
                    "$merge could not find a matching document in the target collection for at least one document in"
                            + " the source collection");
        }
    }

    /** A result with its identity, and what finds the document it is about. */
    private record Identified(RawDocument document, RawDocument filter) {}

    /**
     * Makes statements of results. Variables that have the same value for each, which may be large, are in none of them a
     * copy.
     */
    private final class Statement {
        private final Merge stage;
        private final boolean allowsNull;
        private final Outputs.Manner manner;
        private final List<DottedPath> on;
        private final RawDocument let;

        /** What is computed of each result. */
        private final Map<String, Expression> variables = new LinkedHashMap<>();

        /** Names of the result as it is. */
        private final List<String> wholes = new ArrayList<>();

        Statement(Merge stage, @Nullable Index identifying, Outputs.Manner manner) {
            this.stage = stage;
            this.allowsNull = identifying != null && !identifying.spec().sparse();
            this.manner = manner;
            this.on = stage.on().stream().map(DottedPath::of).toList();
            RawDocument ofStage = stage.let();
            if (ofStage == null) {
                wholes.add("new");
                this.let = manner.let();
            } else {
                this.let = sorted(ofStage, manner);
            }
        }

        /** The variables of the command, and behind them, so that they hide those, the ones that no result changes. */
        private RawDocument sorted(RawDocument ofStage, Outputs.Manner manner) {
            manner.scope().environment().parsed(ExpressionSize.of(ofStage));
            BsonWriter all = new BsonWriter().copyAll(manner.let());
            for (Element each : ofStage) {
                switch (Expressions.parse(each.value(), manner.scope().variables())) {
                    case Expression.Literal(Value value) ->
                        all.startDocument(each.name())
                                .put("$literal", value == null ? Value.NULL : value)
                                .end();
                    case Expression.Field(FieldPath path) when path == null -> wholes.add(each.name());
                    case Expression other -> variables.put(each.name(), other);
                }
            }
            return all.finish();
        }

        Identified identified(RawDocument result) {
            RawDocument document = withId(result);
            return new Identified(document, filter(document));
        }

        /** The one before it is done with; the memory it held beyond the mark is taken anew. */
        Write of(Identified result, long mark) {
            RawDocument document = result.document();
            return switch (stage.matched()) {
                case REPLACE -> update(result, Value.of(document), RawDocument.EMPTY);
                case KEEP_EXISTING -> update(result, Value.of(NO_CHANGE), RawDocument.EMPTY);
                case MERGE -> update(result, new Value.Array(OVER_EXISTING), constants(document, mark));
                case FAIL -> new Write.Insert(stage.target(), document, Bypass.ofValidation(manner.bypassValidation()));
                case PIPELINE -> update(result, pipeline(), constants(document, mark));
            };
        }

        private Value pipeline() {
            RawDocument pipeline = stage.pipeline();
            return new Value.Array(pipeline == null ? RawDocument.EMPTY : pipeline);
        }

        private Write update(Identified result, Value modification, RawDocument constants) {
            boolean upsert = stage.notMatched() == NotMatched.INSERT;
            return new Write.Update(
                    stage.target(),
                    result.filter(),
                    modification,
                    false,
                    upsert,
                    List.of(),
                    null,
                    RawDocument.EMPTY,
                    constants,
                    let,
                    upsert ? result.document() : null,
                    Bypass.ofValidation(manner.bypassValidation()),
                    manner.scope().collation());
        }

        private RawDocument constants(RawDocument document, long mark) {
            BsonWriter out = new BsonWriter();
            Environment environment = manner.scope().environment();
            environment.release(mark);
            variables.forEach((name, expression) -> {
                Value value = Expressions.evaluate(expression, environment, document);
                out.put(name, value == null ? Value.NULL : value);
                environment.building(mark, out);
            });
            wholes.forEach(name -> out.put(name, document));
            return out.finish();
        }

        private RawDocument withId(RawDocument result) {
            if (!stage.on().contains("_id") || result.has("_id")) {
                return result;
            }
            return new BsonWriter(result.length() + 32)
                    .put("_id", Value.of(ids.next()))
                    .copyAll(result)
                    .finish();
        }

        private RawDocument filter(RawDocument document) {
            BsonWriter filter = new BsonWriter();
            for (int i = 0; i < on.size(); i++) {
                Value value = identity(document, on.get(i));
                filter.startDocument(stage.on().get(i)).put("$eq", value).end();
            }
            return filter.finish();
        }

        private Value identity(RawDocument document, DottedPath path) {
            Value value = Value.of(document);
            for (int i = 0; i < path.size() && value != null; i++) {
                refuseArray(value);
                value = value instanceof Value.Doc(RawDocument inner) ? inner.get(path.partUtf8(i)) : null;
            }
            if (value == null || value.equals(Value.NULL) || value.equals(Value.UNDEFINED)) {
                if (!allowsNull) {
                    throw new CommandException(
                            ErrorCode.location(51132),
                            "$merge write error: 'on' field cannot be missing, null or undefined if supporting index is"
                                    + " sparse");
                }
                return Value.NULL;
            }
            refuseArray(value);
            return value;
        }

        private void refuseArray(Value value) {
            if (value instanceof Value.Array) {
                throw new CommandException(
                        ErrorCode.location(51185), "$merge write error: 'on' field cannot be an array");
            }
        }
    }
}
