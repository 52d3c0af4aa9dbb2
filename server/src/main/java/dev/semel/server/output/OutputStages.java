package dev.semel.server.output;

import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.TimeSeriesOptions;
import dev.semel.server.output.OutputStage.Matched;
import dev.semel.server.output.OutputStage.NotMatched;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the stages that write. */
public final class OutputStages {
    private static final Set<String> INTERNAL = Set.of("admin", "config", "local");
    private static final RawDocument NEW_IS_RESULT =
            new BsonWriter().put("new", "$$ROOT").finish();

    private OutputStages() {}

    /** The stage at the end of a pipeline, if it is one that writes. */
    public static @Nullable OutputStage last(List<RawDocument> stages, String database) {
        Element last = stages.isEmpty() ? null : stages.getLast().first();
        if (last == null || stages.getLast().size() != 1) {
            return null;
        }
        return switch (last.name()) {
            case OutputStage.Out.NAME -> out(last.value(), database);
            case OutputStage.Merge.NAME -> merge(last.value(), database);
            default -> null;
        };
    }

    // ---- $out

    private static OutputStage out(Value specification, String database) {
        OutputStage.Out out = switch (specification) {
            case Value.Str(Text collection) ->
                new OutputStage.Out(Arguments.namespace(database, collection.toString()), null);
            case Value.Doc(RawDocument options) -> out(Arguments.ofStage(OutputStage.Out.NAME, database, options));
            default ->
                throw new CommandException(
                        ErrorCode.location(16990),
                        "$out only supports a string or object argument, but found %s",
                        specification.type().alias());
        };
        check(out.target(), OutputStage.Out.NAME, 17385, 31321);
        return out;
    }

    private static OutputStage.Out out(Arguments in) {
        Namespace target = Arguments.namespace(in.requiredString("db"), in.requiredString("coll"));
        RawDocument timeSeries = in.optionalDocument("timeseries");
        in.refuseUnknown();
        return new OutputStage.Out(
                target, timeSeries == null ? null : TimeSeriesOptions.parse(in.inner("timeseries", timeSeries), null));
    }

    private static void check(Namespace target, String stage, int special, int internal) {
        if (target.collection().startsWith("system.")) {
            throw new CommandException(
                    ErrorCode.location(special), "%s cannot write to the special collection %s", stage, target);
        }
        if (INTERNAL.contains(target.database())) {
            throw new CommandException(
                    ErrorCode.location(internal),
                    "%s cannot write to the internal database '%s'",
                    stage,
                    target.database());
        }
    }

    // ---- $merge

    private static OutputStage merge(Value specification, String database) {
        if (specification instanceof Value.Str(Text collection)) {
            return joined(
                    Arguments.namespace(database, collection.toString()),
                    List.of("_id"),
                    Matched.MERGE,
                    NotMatched.INSERT,
                    null,
                    null);
        }
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw new CommandException(
                    ErrorCode.location(51182),
                    "$merge only supports a string or object argument, not %s",
                    specification.type().alias());
        }
        Arguments in = Arguments.ofStage(OutputStage.Merge.NAME, database, options);
        Namespace target = into(in.required("into"), database);
        List<String> on = on(in);
        Value whenMatched = in.optional("whenMatched");
        RawDocument pipeline = whenMatched instanceof Value.Array(RawDocument stages) ? stages.detached() : null;
        Matched matched =
                pipeline != null ? Matched.PIPELINE : mode(in, "whenMatched", Matched.values(), Matched.MERGE);
        NotMatched notMatched = mode(in, "whenNotMatched", NotMatched.values(), NotMatched.INSERT);
        RawDocument let = in.optionalDocument("let");
        in.ignored("targetCollectionVersion", "allowMergeOnNullishValues");
        in.refuseUnknown();
        if (pipeline == null) {
            if (let != null) {
                throw new CommandException(
                        ErrorCode.location(51199), "Cannot use 'let' variables with 'whenMatched: %s' mode", matched);
            }
            return joined(target, on, matched, notMatched, null, null);
        }
        RawDocument variables = let == null ? NEW_IS_RESULT : let.detached();
        checkNew(variables);
        Pipelines.checkNames(stages(pipeline));
        return joined(target, on, matched, notMatched, pipeline, variables);
    }

    private static OutputStage joined(
            Namespace target,
            List<String> on,
            Matched matched,
            NotMatched notMatched,
            @Nullable RawDocument pipeline,
            @Nullable RawDocument let) {
        check(target, OutputStage.Merge.NAME, 31319, 31320);
        boolean makesSense = switch (matched) {
            case REPLACE, MERGE, PIPELINE -> true;
            case KEEP_EXISTING, FAIL -> notMatched == NotMatched.INSERT;
        };
        if (!makesSense) {
            throw new CommandException(
                    ErrorCode.location(51181),
                    "Combination of {whenMatched: %s} and {whenNotMatched: %s} is not supported",
                    matched,
                    notMatched);
        }
        return new OutputStage.Merge(target, on, matched, notMatched, pipeline, let);
    }

    private static Namespace into(Value into, String database) {
        return switch (into) {
            case Value.Str(Text collection) -> Arguments.namespace(database, collection.toString());
            case Value.Doc(RawDocument options) -> {
                Arguments in = Arguments.ofStage("$merge.into", database, options);
                String named = in.string("db");
                Namespace target = Arguments.namespace(named == null ? database : named, in.requiredString("coll"));
                in.refuseUnknown();
                yield target;
            }
            default ->
                throw new CommandException(
                        ErrorCode.location(51178),
                        "$merge 'into' field must be either a string or an object, but found %s",
                        into.type().alias());
        };
    }

    private static List<String> on(Arguments in) {
        List<String> fields = new ArrayList<>();
        switch (in.optional("on")) {
            case null -> fields.add("_id");
            case Value.Str(Text field) -> fields.add(field.toString());
            case Value.Array(RawDocument elements) -> {
                for (Element each : elements) {
                    if (!(each.value() instanceof Value.Str(Text field))) {
                        throw new CommandException(
                                ErrorCode.location(51134),
                                "$merge 'on' array elements must be strings, but found %s",
                                each.value().type().alias());
                    }
                    fields.add(field.toString());
                }
                if (fields.isEmpty()) {
                    throw new CommandException(
                            ErrorCode.location(51187),
                            "If explicitly specifying $merge 'on', must include at least one field");
                }
            }
            case Value other ->
                throw new CommandException(
                        ErrorCode.location(51186),
                        "$merge 'on' field must be either a string or an array of strings, but found %s",
                        other.type().alias());
        }
        Set<String> seen = new HashSet<>();
        for (String field : fields) {
            if (!seen.add(field)) {
                throw new CommandException(ErrorCode.location(31465), "Found a duplicate field '%s'", field);
            }
        }
        return List.copyOf(fields);
    }

    private static <E extends Enum<E>> E mode(Arguments in, String field, E[] modes, E otherwise) {
        String text = in.string(field);
        if (text == null) {
            return otherwise;
        }
        for (E mode : modes) {
            if (mode.toString().equals(text) && mode != Matched.PIPELINE) {
                return mode;
            }
        }
        throw new CommandException(
                ErrorCode.BadValue, "Enumeration value '%s' for field '%s' is not a valid value.", text, field);
    }

    /** A pipeline's {@code new} is always the result. */
    private static void checkNew(RawDocument let) {
        Value named = let.get("new");
        if (named != null && !named.equals(Value.of("$$ROOT"))) {
            throw new CommandException(
                    ErrorCode.location(51273),
                    "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'");
        }
    }

    static List<RawDocument> stages(RawDocument pipeline) {
        List<RawDocument> stages = new ArrayList<>();
        for (Element each : pipeline) {
            if (!(each.value() instanceof Value.Doc(RawDocument stage))) {
                throw new CommandException(
                        ErrorCode.TypeMismatch, "Each element of the 'pipeline' array must be an object");
            }
            stages.add(stage);
        }
        return stages;
    }
}
