package dev.semel.query.pipeline;

import dev.semel.query.expression.ConstantFailure;
import dev.semel.query.expression.ExpressionSize;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.filter.TextPlacement;
import dev.semel.query.filter.Where;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Reads pipelines. The names of all stages are in one table, A to Z. */
public final class Pipelines {
    private static final int STAGES_MAX = 1000;

    @FunctionalInterface
    private interface StageParser {
        List<Stage> parse(String name, Value specification, FilterScope scope, Others others);
    }

    @FunctionalInterface
    private interface PlainParser {
        Stage parse(String name, Value specification, FilterScope scope);
    }

    @FunctionalInterface
    private interface ForeignParser {
        Stage parse(String name, Value specification, FilterScope scope, Others others);
    }

    private static final Map<String, StageParser> STAGES = Map.ofEntries(
            Map.entry("$addFields", plain(Pipelines::addFields)),
            Map.entry("$bucket", (name, value, scope, others) -> stages(Buckets.bucket(value, scope), scope, others)),
            Map.entry("$bucketAuto", plain((name, value, scope) -> BucketAutoParser.parse(value, scope))),
            Map.entry("$count", plain(Pipelines::count)),
            Map.entry("$densify", (name, value, scope, others) -> DensifyParser.parse(value, scope)),
            Map.entry("$facet", foreign(Facet::parse)),
            Map.entry("$fill", (name, value, scope, others) -> stages(Fill.stages(value), scope, others)),
            Map.entry(GeoNear.NAME, plain((name, value, scope) -> GeoNearParser.parse(value, scope))),
            Map.entry("$graphLookup", foreign(GraphLookupParser::parse)),
            Map.entry("$group", plain(GroupParser::parse)),
            Map.entry("$limit", plain(Pipelines::limit)),
            Map.entry("$lookup", foreign(LookupParser::parse)),
            Map.entry("$match", plain(Pipelines::match)),
            Map.entry("$project", plain(Pipelines::project)),
            Map.entry("$redact", plain((name, value, scope) -> Redact.parse(value, scope))),
            Map.entry("$replaceRoot", plain(Pipelines::replaceRoot)),
            Map.entry("$replaceWith", plain(Pipelines::replaceWith)),
            Map.entry("$sample", plain((name, value, scope) -> Sample.parse(value))),
            Map.entry("$set", plain(Pipelines::addFields)),
            Map.entry("$setWindowFields", (name, value, scope, others) -> SetWindowFieldsParser.parse(value, scope)),
            Map.entry("$skip", plain(Pipelines::skip)),
            Map.entry("$sort", plain(Pipelines::sort)),
            Map.entry(
                    "$sortByCount", (name, value, scope, others) -> stages(Buckets.sortByCount(value), scope, others)),
            Map.entry("$unionWith", foreign(UnionWith::parse)),
            Map.entry("$unset", plain(Pipelines::unset)),
            Map.entry("$unwind", plain(UnwindParser::parse)));

    private static final Set<String> UPDATE_STAGES =
            Set.of("$addFields", "$project", "$replaceRoot", "$replaceWith", "$set", "$unset");

    /** Stages of a product beside the database: the error says that they are not supported, not that they are mistyped. */
    private static final Set<String> SEARCH = Set.of("$listSearchIndexes", "$search", "$searchMeta", "$vectorSearch");

    /** Stages of MongoDB's that are not there yet. */
    private static final Set<String> NOT_YET =
            Set.of("$listSampledQueries", "$querySettings", "$queryStats", "$shardedDataDistribution");

    /** Stages that write the result of a pipeline; the code that runs a pipeline removes them from its end. */
    private static final Set<String> OUTPUTS = Set.of("$merge", "$out");

    /** Stages whose conditions, or the stages in them, are counted one by one. */
    private static final Set<String> COUNTED_INSIDE =
            Set.of("$facet", "$geoNear", "$lookup", "$match", "$merge", "$unionWith");

    private static final String CHANGE_STREAM = "$changeStream";
    private static final String SPLIT = "$changeStreamSplitLargeEvent";

    /** Stages that bring documents of their own; the code that runs a pipeline removes them from its beginning. */
    private static final Set<String> FIRST = Set.of(
            CHANGE_STREAM,
            "$collStats",
            "$currentOp",
            "$documents",
            "$indexStats",
            "$listLocalSessions",
            "$listSessions",
            "$planCacheStats");

    private Pipelines() {}

    private static StageParser plain(PlainParser parser) {
        return (name, specification, scope, others) -> List.of(parser.parse(name, specification, scope));
    }

    private static StageParser foreign(ForeignParser parser) {
        return (name, specification, scope, others) -> List.of(parser.parse(name, specification, scope, others));
    }

    /** A pipeline that reads nothing but what it is opened over. */
    public static Pipeline parse(List<RawDocument> stages, FilterScope scope) {
        return parse(stages, scope, Others.NONE);
    }

    /** A pipeline of an {@code aggregate} command. */
    public static Pipeline parse(List<RawDocument> stages, FilterScope scope, Others others) {
        return parse(stages, scope, others, (sent, made) -> {});
    }

    private static Pipeline parse(
            List<RawDocument> stages, FilterScope scope, Others others, BiConsumer<RawDocument, List<Stage>> origins) {
        Nesting.check(stages);
        return new Pipeline(Optimizer.optimize(stages(stages, scope, others, origins)), scope.environment());
    }

    /**
     * The same where it is about to run. As MongoDB computes constants while it optimizes, one that fails does so whether there are
     * documents or not.
     */
    public static Pipeline optimized(List<RawDocument> stages, FilterScope scope, Others others) {
        return optimized(stages, scope, others, (sent, made) -> {});
    }

    /** The same; the last argument learns which stages were made of what. */
    public static Pipeline optimized(List<RawDocument> stages, FilterScope scope, Others others, SentStages origins) {
        return optimized(stages, scope, others, origins::made);
    }

    private static Pipeline optimized(
            List<RawDocument> stages, FilterScope scope, Others others, BiConsumer<RawDocument, List<Stage>> origins) {
        try {
            Pipeline pipeline = parse(stages, scope.checkingConstants(), others, origins);
            Metadata.check(pipeline.metadata(), pipeline.metadataOfSearch());
            scope.environment().wantMetadata(pipeline.metadata());
            return pipeline;
        } catch (ConstantFailure e) {
            throw e.failure().inContext("Failed to optimize pipeline");
        }
    }

    /** Not optimized yet, because others may come before or behind. */
    static List<Stage> stages(List<RawDocument> stages, FilterScope scope, Others others) {
        return stages(stages, scope, others, (sent, made) -> {});
    }

    private static List<Stage> stages(
            List<RawDocument> stages, FilterScope scope, Others others, BiConsumer<RawDocument, List<Stage>> origins) {
        if (stages.size() > STAGES_MAX) {
            throw new CommandException(
                    ErrorCode.location(7749501), "Pipeline length must be no longer than %d stages", STAGES_MAX);
        }
        List<Stage> parsed = new ArrayList<>();
        ConstantFailure failure = null;
        for (RawDocument stage : stages) {
            Element element = single(stage);
            if (element.name().equals(GeoNear.NAME) && stage != stages.getFirst()) {
                throw new CommandException(
                        ErrorCode.location(40602), "%s is only valid as the first stage in a pipeline", GeoNear.NAME);
            }
            scope.environment().parsed(1 + size(element, stage));
            try {
                List<Stage> made = parser(element.name()).parse(element.name(), element.value(), scope, others);
                if (stage != stages.getFirst()) {
                    made.forEach(Pipelines::requireNoText);
                }
                origins.accept(stage, made);
                parsed.addAll(made);
            } catch (ConstantFailure e) {
                // In MongoDB nothing is computed before everything is parsed: what is written wrongly comes first.
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return parsed;
    }

    private static void requireNoText(Stage stage) {
        if (stage instanceof Match(Filter filter) && TextPlacement.isIn(filter)) {
            throw new CommandException(
                    ErrorCode.location(17313), "$match with $text is only allowed as the first pipeline stage");
        }
    }

    /** A pipeline that updates one document, of which only the stages that give one document for one are allowed. */
    public static Pipeline parseUpdate(List<RawDocument> stages, FilterScope scope) {
        for (RawDocument stage : stages) {
            String name = single(stage).name();
            checkName(name);
            if (!UPDATE_STAGES.contains(name)) {
                throw new CommandException(
                        ErrorCode.InvalidOptions, "%s is not allowed to be used within an update", name);
            }
        }
        return parse(stages, scope);
    }

    /** Refuses stages that no pipeline has, before it is asked which are allowed. */
    public static void checkNames(List<RawDocument> stages) {
        stages.forEach(stage -> checkName(single(stage).name()));
    }

    private static int size(Element element, RawDocument stage) {
        return switch (element.name()) {
            case "$lookup" -> ExpressionSize.besidePipelines(element.value());
            default -> COUNTED_INSIDE.contains(element.name()) ? 0 : ExpressionSize.of(stage);
        };
    }

    /** Refuses only what is no stage at all, wherever it stands. */
    public static void checkKnown(List<RawDocument> stages) {
        for (RawDocument stage : stages) {
            String name = single(stage).name();
            boolean isKnown = STAGES.containsKey(name)
                    || SEARCH.contains(name)
                    || FIRST.contains(name)
                    || OUTPUTS.contains(name)
                    || NOT_YET.contains(name)
                    || name.equals(SPLIT);
            if (!isKnown) {
                throw unrecognized(name);
            }
        }
    }

    private static CommandException unrecognized(String name) {
        return new CommandException(ErrorCode.location(40324), "Unrecognized pipeline stage name: '%s'", name);
    }

    private static void checkName(String name) {
        if (!OUTPUTS.contains(name)) {
            parser(name);
        }
    }

    private static Element single(RawDocument stage) {
        Element element = stage.first();
        if (element == null || stage.size() != 1) {
            throw new CommandException(
                    ErrorCode.location(40323), "A pipeline stage specification object must contain exactly one field.");
        }
        return element;
    }

    private static StageParser parser(String name) {
        StageParser parser = STAGES.get(name);
        if (parser == null && SEARCH.contains(name)) {
            throw new CommandException(
                    ErrorCode.SearchNotEnabled, "%s needs the search service of MongoDB Atlas", name);
        }
        if (FIRST.contains(name)) {
            throw new CommandException(
                    ErrorCode.location(40602), "%s is only valid as the first stage in a pipeline", name);
        }
        if (name.equals(SPLIT)) {
            throw new CommandException(
                    ErrorCode.IllegalOperation, "%s can only be used in a %s pipeline", name, CHANGE_STREAM);
        }
        if (OUTPUTS.contains(name)) {
            throw new CommandException(
                    ErrorCode.location(40601), "%s can only be the final stage in the pipeline", name);
        }
        if (NOT_YET.contains(name)) {
            throw new CommandException(ErrorCode.NotImplemented, "The pipeline stage %s is not supported yet", name);
        }
        if (parser == null) {
            throw unrecognized(name);
        }
        return parser;
    }

    private static RawDocument document(Value specification, int code, String message) {
        if (!(specification instanceof Value.Doc(RawDocument document))) {
            throw new CommandException(ErrorCode.location(code), message, specification.type());
        }
        return document;
    }

    private static Reshape valid(String name, Supplier<Reshape> parsed) {
        try {
            return parsed.get();
        } catch (CommandException e) {
            throw e.inContext("Invalid " + name);
        }
    }

    // ---- one by one

    private static Stage addFields(String name, Value specification, FilterScope scope) {
        RawDocument fields = document(specification, 40272, name + " specification stage must be an object, got %s");
        return new AddFields(valid(name, () -> ReshapeParser.addFields(fields, scope.variables())));
    }

    private static Stage count(String name, Value specification, FilterScope scope) {
        if (!(specification instanceof Value.Str(Text text)) || text.isEmpty()) {
            throw new CommandException(ErrorCode.location(40156), "the count field must be a non-empty string");
        }
        String field = text.toString();
        if (field.startsWith("$")) {
            throw new CommandException(ErrorCode.location(40158), "the count field cannot be a $-prefixed path");
        }
        if (field.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.location(40159), "the count field cannot contain a null byte");
        }
        if (field.indexOf('.') >= 0) {
            throw new CommandException(ErrorCode.location(40160), "the count field cannot contain '.'");
        }
        return new Count(field);
    }

    private static Stage limit(String name, Value specification, FilterScope scope) {
        long count = wholeNumber(5107201, name, specification);
        if (count == 0) {
            throw new CommandException(ErrorCode.location(15958), "the limit must be positive");
        }
        return new Limit(count);
    }

    private static Stage skip(String name, Value specification, FilterScope scope) {
        return new Skip(wholeNumber(5107200, name, specification));
    }

    private static long wholeNumber(int code, String name, Value value) {
        String problem = null;
        OptionalLong number = Numbers.exactLong(value);
        if (!Numbers.isNumber(value)) {
            problem = "Expected a number in: ";
        } else if (number.isEmpty()) {
            problem = "Expected an integer: ";
        } else if (number.getAsLong() < 0) {
            problem = "Expected a non-negative number in: ";
        }
        if (problem != null) {
            throw new CommandException(
                    ErrorCode.location(code),
                    "invalid argument to %s stage: %s%s: %s",
                    name,
                    problem,
                    name,
                    Shell.text(value));
        }
        return number.getAsLong();
    }

    private static Stage match(String name, Value specification, FilterScope scope) {
        RawDocument filter = document(specification, 15959, "the match filter must be an expression in an object");
        Filter parsed = Filters.parseMatch(filter, scope);
        if (Where.isIn(parsed)) {
            throw new CommandException(
                    ErrorCode.BadValue, "$where is not allowed inside of a $match aggregation expression");
        }
        return new Match(parsed);
    }

    private static Stage project(String name, Value specification, FilterScope scope) {
        RawDocument fields = document(specification, 15969, "$project specification must be an object");
        return new Project(valid(name, () -> ReshapeParser.project(fields, scope.variables())));
    }

    private static Stage replaceRoot(String name, Value specification, FilterScope scope) {
        RawDocument options =
                document(specification, 40229, "expected an object as specification for $replaceRoot stage, got %s");
        Value newRoot = null;
        for (Element option : options) {
            if (!option.name().equals("newRoot")) {
                throw new CommandException(
                        ErrorCode.location(40230),
                        "unrecognized option to $replaceRoot stage: %s, only valid option is 'newRoot'.",
                        option.name());
            }
            newRoot = option.value();
        }
        if (newRoot == null) {
            throw new CommandException(ErrorCode.location(40231), "no newRoot specified for the $replaceRoot stage");
        }
        return new ReplaceRoot(Expressions.parse(newRoot, scope.variables()));
    }

    private static Stage replaceWith(String name, Value specification, FilterScope scope) {
        return new ReplaceRoot(Expressions.parse(specification, scope.variables()));
    }

    private static Stage sort(String name, Value specification, FilterScope scope) {
        RawDocument pattern = document(specification, 15973, "the $sort key specification must be an object");
        if (pattern.isEmpty()) {
            throw new CommandException(ErrorCode.location(15976), "$sort stage must have at least one sort key");
        }
        return new Sort(new SortOrder(SortPattern.parse(pattern, scope.collation())), Sort.UNLIMITED);
    }

    private static Stage unset(String name, Value specification, FilterScope scope) {
        List<String> fields = new ArrayList<>();
        switch (specification) {
            case Value.Str(Text text) -> fields.add(text.toString());
            case Value.Array(RawDocument elements) -> {
                for (Element element : elements) {
                    if (!(element.value() instanceof Value.Str(Text text))) {
                        throw new CommandException(
                                ErrorCode.location(31120),
                                "$unset specification must be a string or an array containing only string values");
                    }
                    fields.add(text.toString());
                }
                if (fields.isEmpty()) {
                    throw new CommandException(
                            ErrorCode.location(31119),
                            "$unset specification must be a string or an array with at least one field");
                }
            }
            default ->
                throw new CommandException(
                        ErrorCode.location(31002), "$unset specification must be a string or an array");
        }
        return new Project(valid(name, () -> ReshapeParser.exclude(fields)));
    }
}
