package dev.semel.server.commands;

import dev.semel.query.value.Collation;
import dev.semel.server.command.Arguments;
import dev.semel.server.output.OutputStage;
import dev.semel.server.output.OutputStages;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code mapReduce} asks for, and the pipeline that it is.
 *
 * @param map called with each document as {@code this}; emits keys and values
 * @param reduce from a key and its values to one value
 * @param last called for each key and value at the end; null for none
 * @param limit 0 for none
 * @param variables global variables of the functions
 * @param output where the results go; null for the reply
 */
record MapReduceArgs(
        Namespace collection,
        Value map,
        Value reduce,
        @Nullable Value last,
        RawDocument query,
        @Nullable RawDocument sort,
        long limit,
        RawDocument variables,
        @Nullable Output output,
        boolean bypassValidation,
        @Nullable Collation collation) {

    /** A collection that gets the results, and how. */
    record Output(Namespace target, Mode mode) {}

    /** What becomes of the documents that the target has. */
    enum Mode {
        REPLACE,
        MERGE,
        REDUCE
    }

    private static final Set<String> UNUSED = Set.of("sharded", "nonAtomic");

    static MapReduceArgs parse(Arguments in) {
        MapReduceArgs args = new MapReduceArgs(
                in.collection("mapReduce"),
                function("map", in.required("map")),
                function("reduce", in.required("reduce")),
                finalizer(in),
                in.documentOrEmpty("query"),
                in.optionalDocument("sort"),
                in.nonNegative("limit", 0),
                in.documentOrEmpty("scope"),
                output(in.required("out"), in.database()),
                Options.bypassValidation(in),
                Options.collation(in));
        in.ignored("jsMode", "verbose", "splitInfo");
        return args;
    }

    private static @Nullable Value finalizer(Arguments in) {
        Value given = in.optional("finalize");
        return given == null || given.equals(Value.NULL) ? null : function("finalize", given);
    }

    private static Value function(String name, Value given) {
        return switch (given) {
            case Value.Str text -> text;
            case Value.Code code -> code;
            case Value.CodeWithScope(Text code, var scope) when scope.isEmpty() -> new Value.Code(code);
            case Value.CodeWithScope ignored ->
                throw new CommandException(
                        ErrorCode.BadValue, "'%s' must not have a scope: use the 'scope' of the command", name);
            default ->
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "'%s' must be of type string or code, found %s",
                        name,
                        given.type().alias());
        };
    }

    // ---- out

    private static @Nullable Output output(Value out, String database) {
        return switch (out) {
            case Value.Str(Text name) -> new Output(Arguments.namespace(database, name.toString()), Mode.REPLACE);
            case Value.Doc(RawDocument options) -> output(options, database);
            default -> throw new CommandException(ErrorCode.location(13606), "'out' has to be a string or an object");
        };
    }

    private static @Nullable Output output(RawDocument options, String database) {
        String targetDatabase = database;
        String collection = null;
        Mode mode = Mode.REPLACE;
        boolean isInline = false;
        for (Element option : options) {
            switch (option.name()) {
                case "inline" -> isInline = true;
                case "replace", "merge", "reduce" -> {
                    collection = name(option);
                    mode = Mode.valueOf(option.name().toUpperCase(Locale.ROOT));
                }
                case "db" -> targetDatabase = name(option);
                default -> {
                    if (!UNUSED.contains(option.name())) {
                        throw new CommandException(
                                ErrorCode.location(13522), "unknown out specifier [%s]", option.name());
                    }
                }
            }
        }
        if (isInline) {
            if (collection != null) {
                throw new CommandException(
                        ErrorCode.BadValue, "'out' is either 'inline' or the name of a collection, not both");
            }
            return null;
        }
        if (collection == null) {
            throw new CommandException(
                    ErrorCode.location(13530), "'normalized' or 'inline' required: 'out' names no collection");
        }
        return new Output(Arguments.namespace(targetDatabase, collection), mode);
    }

    private static String name(Element option) {
        if (option.value() instanceof Value.Str(Text name)) {
            return name.toString();
        }
        throw new CommandException(ErrorCode.TypeMismatch, "'out.%s' must be a string", option.name());
    }

    // ---- as a pipeline

    List<RawDocument> stages() {
        List<RawDocument> stages = new ArrayList<>();
        stages.add(new BsonWriter().put("$match", query).finish());
        if (sort != null && !sort.isEmpty()) {
            stages.add(new BsonWriter().put("$sort", sort).finish());
        }
        if (limit > 0) {
            stages.add(new BsonWriter().put("$limit", limit).finish());
        }
        stages.add(new BsonWriter()
                .startDocument("$project")
                .put("_id", 0)
                .startDocument("emits")
                .startDocument("$_internalJsEmit")
                .put("eval", map)
                .put("this", "$$ROOT")
                .end()
                .end()
                .end()
                .finish());
        stages.add(new BsonWriter().put("$unwind", "$emits").finish());
        stages.add(new BsonWriter()
                .startDocument("$group")
                .put("_id", "$emits.k")
                .startDocument("value")
                .startDocument("$_internalJsReduce")
                .put("data", "$emits")
                .put("eval", reduce)
                .end()
                .end()
                .end()
                .finish());
        if (last != null) {
            stages.add(called(last, arguments("$value")));
        }
        return stages;
    }

    /** A stage that puts what a function makes of the arguments in the place of the value. */
    private static RawDocument called(Value function, Value.Array arguments) {
        return new BsonWriter()
                .startDocument("$project")
                .startDocument("value")
                .startDocument("$_internalJs")
                .put("eval", function)
                .put("args", arguments)
                .end()
                .end()
                .end()
                .finish();
    }

    private static Value.Array arguments(String value) {
        return new BsonWriter().add("$_id").add(value).finishArray();
    }

    /** The stage that writes the results. */
    OutputStage stage(Output to) {
        BsonWriter target = new BsonWriter()
                .put("db", to.target().database())
                .put("coll", to.target().collection());
        RawDocument stage = to.mode() == Mode.REPLACE
                ? new BsonWriter().put("$out", target.finish()).finish()
                : merge(target.finish(), to.mode());
        OutputStage parsed = OutputStages.last(List.of(stage), to.target().database());
        if (parsed == null) {
            throw new IllegalStateException("no stage that writes");
        }
        return parsed;
    }

    private RawDocument merge(RawDocument target, Mode mode) {
        BsonWriter stage =
                new BsonWriter().startDocument("$merge").put("into", target).put("whenNotMatched", "insert");
        if (mode == Mode.MERGE) {
            stage.put("whenMatched", "replace");
        } else {
            Value.Array both = new BsonWriter().add("$value").add("$$new.value").finishArray();
            stage.startArray("whenMatched")
                    .add(called(reduce, new BsonWriter().add("$_id").add(both).finishArray()));
            if (last != null) {
                stage.add(called(last, arguments("$value")));
            }
            stage.end();
        }
        return stage.end().finish();
    }
}
