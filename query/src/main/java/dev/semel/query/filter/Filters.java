package dev.semel.query.filter;

import dev.semel.query.expression.ConstantFailure;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.ExpressionSize;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Scope;
import dev.semel.query.text.TextSearch;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** Reads filters. */
public final class Filters {
    /** Matches every document; what an empty filter is. */
    public static final Filter ALL = new Filter.Always(true);

    private static final int DEPTH_MAX = 100;

    private final FilterScope scope;

    private final Use use;

    /** Whether it asks elements of an array, which are no whole documents. */
    private final boolean isOfElements;

    /** What a filter is for, which decides about the operators that only an index can answer. */
    private enum Use {
        /** To be asked of one document after the other. */
        TEST,
        /** To be asked of elements of an array outside of a query. */
        ELEMENTS,
        /** The same, accepted before: whatever fails in it fails when a document meets it. */
        STORED,
        /** To be answered by a plan if it comes first. */
        MATCH,
        /** To be answered by a plan. */
        SEARCH
    }

    private Filters(FilterScope scope, Use use) {
        this(scope, use, false);
    }

    private Filters(FilterScope scope, Use use, boolean isOfElements) {
        this.scope = scope;
        this.use = use;
        this.isOfElements = isOfElements;
    }

    public static Filter parse(RawDocument filter, FilterScope scope) {
        return new Filters(scope, Use.TEST).document(filter, 0);
    }

    /** One of an update or a projection that is asked of elements of an array: nothing in it is about whole documents. */
    public static Filter parseForElements(RawDocument filter, FilterScope scope) {
        return new Filters(scope, Use.ELEMENTS).document(filter, 0);
    }

    /** One that a plan answers, which may ask for documents by their distance and their words. */
    public static Filter parseSearch(RawDocument filter, FilterScope scope) {
        Filter parsed = new Filters(scope, Use.SEARCH).document(filter, 0);
        Nearness.check(parsed);
        TextPlacement.check(parsed);
        return parsed;
    }

    /** One of a stage, which may ask for documents by their words. */
    public static Filter parseMatch(RawDocument filter, FilterScope scope) {
        Filter parsed = new Filters(scope, Use.MATCH).document(filter, 0);
        TextPlacement.check(parsed);
        return parsed;
    }

    /** One that was accepted before: whatever fails in it fails when a document meets it. */
    public static Filter parseStored(RawDocument filter, FilterScope scope) {
        return new Filters(scope, Use.STORED).document(filter, 0);
    }

    /** One level further down, unless that is one too many. */
    int deeper(int depth) {
        if (depth >= DEPTH_MAX) {
            throw new CommandException(ErrorCode.BadValue, "exceeded maximum query tree depth of %d", DEPTH_MAX);
        }
        return depth + 1;
    }

    static Filter and(List<Filter> all) {
        return switch (all.size()) {
            case 0 -> ALL;
            case 1 -> all.getFirst();
            default -> new Filter.And(List.copyOf(all));
        };
    }

    /** The filter within an {@code $elemMatch}. */
    Filter element(RawDocument filter, int depth) {
        return new Filters(scope, use, true).document(filter, depth);
    }

    Filter document(RawDocument filter, int depth) {
        deeper(depth - 1);
        var all = new ArrayList<Filter>();
        for (Element element : filter) {
            if (isOperator(element.name())) {
                topLevel(element, depth, all);
            } else {
                field(element.name(), element.value(), depth, all);
            }
        }
        return and(all);
    }

    /** Ends the work if its time is up or it was killed. */
    void checkpoint() {
        scope.environment().checkpoint();
    }

    /** Refuses an order by distance where none can be had. */
    void requireSearch() {
        if (use != Use.SEARCH) {
            throw new CommandException(
                    ErrorCode.location(5626500),
                    "$geoNear, $near, and $nearSphere are not allowed in this context, as these operators require"
                        + " sorting geospatial data. If you do not need sort, consider using $geoWithin instead. Check"
                        + " out https://dochub.mongodb.org/core/near-sort-operation and"
                        + " https://dochub.mongodb.org/core/nearSphere-sort-operation for more details.");
        }
    }

    Collation collation() {
        return scope.collation();
    }

    FilterScope scope() {
        return scope;
    }

    /** DBRef's field names begin with a dollar sign and are names all the same. */
    static boolean isOperator(String name) {
        return name.startsWith("$") && !isDbRefField(name);
    }

    static boolean isDbRefField(String name) {
        return name.equals("$ref") || name.equals("$id") || name.equals("$db");
    }

    private void field(String name, Value value, int depth, List<Filter> all) {
        DottedPath path = scope.path(name);
        switch (value) {
            case Value.Doc(RawDocument operators)
            when beginsWithOperator(operators) -> new FieldFilters(this, path, depth).parse(operators, all);
            case Value.Regex(String pattern, String options) ->
                all.add(new Filter.Field(path, new Condition.Regex(scope.regex(pattern, options))));
            case Value.Constant constant when constant == Value.UNDEFINED -> throw cannotCompareToUndefined();
            default -> all.add(new Filter.Field(path, new Condition.Compare(Comparison.EQ, value, scope.collation())));
        }
    }

    static CommandException cannotCompareToUndefined() {
        return new CommandException(ErrorCode.BadValue, "cannot compare to undefined");
    }

    /** A document that begins like a DBRef is one only if it has what makes one. */
    static boolean beginsWithOperator(RawDocument document) {
        var first = document.cursor();
        return first.next()
                && first.name().startsWith("$")
                && !(isDbRefField(first.name()) && document.has("$ref") && document.has("$id"));
    }

    private void topLevel(Element element, int depth, List<Filter> all) {
        String name = element.name();
        switch (name) {
            case "$and" -> all.add(and(branches(element, depth)));
            case "$or" -> {
                var any = branches(element, depth);
                all.add(any.size() == 1 ? any.getFirst() : new Filter.Or(any));
            }
            case "$nor" -> all.add(new Filter.Nor(branches(element, depth)));
            case "$comment" -> {}
            case "$alwaysTrue" -> all.add(always(element, true));
            case "$alwaysFalse" -> all.add(always(element, false));
            case "$sampleRate" -> all.add(sample(element.value()));
            case "$expr" -> {
                refuseForElements(name, ErrorCode.QueryFeatureNotAllowed);
                requireWholeDocument(name);
                scope.environment().parsed(ExpressionSize.of(element.value()));
                all.add(new Filter.Expr(expression(element.value()), scope.environment()));
            }
            case "$jsonSchema" -> {
                refuseForElements(name, ErrorCode.QueryFeatureNotAllowed);
                all.add(schema(element.value()));
            }
            case "$where" -> {
                refuseForElements(name, ErrorCode.BadValue);
                requireWholeDocument(name);
                all.add(Where.parse(element.value(), scope.environment()));
            }
            case "$text" -> {
                requireWholeDocument(name);
                all.add(text(element.value()));
            }
            default ->
                throw new CommandException(
                        ErrorCode.BadValue,
                        "unknown top level operator: %s. If you have a field name that starts with a '$' symbol, "
                                + "consider using $getField or $setField.",
                        name);
        }
    }

    private void refuseForElements(String operator, ErrorCode code) {
        if (use == Use.ELEMENTS) {
            throw notHere(operator, code);
        }
    }

    private void requireWholeDocument(String operator) {
        if (isOfElements) {
            throw new CommandException(
                    ErrorCode.BadValue, "%s can only be applied to the top-level document", operator);
        }
    }

    private static CommandException notHere(String operator, ErrorCode code) {
        return new CommandException(code, "%s is not allowed in this context", operator);
    }

    private Filter text(Value operand) {
        if (use != Use.SEARCH && use != Use.MATCH) {
            throw notHere("$text", ErrorCode.BadValue);
        }
        return new Filter.Text(TextSearch.parse(operand));
    }

    private Expression expression(Value operand) {
        Scope variables = scope.variables();
        if (use == Use.STORED) {
            return Expressions.parse(operand, variables);
        }
        try {
            return Expressions.parse(operand, variables.checkingConstants());
        } catch (ConstantFailure e) {
            CommandException failure = e.failure().inContext("Failed to optimize expression");
            throw variables.checksConstants() ? new ConstantFailure(failure) : failure;
        }
    }

    private List<Filter> branches(Element element, int depth) {
        if (!(element.value() instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(ErrorCode.BadValue, "%s must be an array", element.name());
        }
        if (elements.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "$and/$or/$nor must be a nonempty array");
        }
        var branches = new ArrayList<Filter>();
        for (Element each : elements) {
            if (!(each.value() instanceof Value.Doc(RawDocument branch))) {
                throw new CommandException(ErrorCode.BadValue, "$or/$and/$nor entries need to be full objects");
            }
            branches.add(document(branch, depth + 1));
        }
        return List.copyOf(branches);
    }

    private static Filter always(Element element, boolean answer) {
        var number = Numbers.exactLong(element.value());
        if (number.isEmpty() || number.getAsLong() != 1) {
            throw new CommandException(ErrorCode.FailedToParse, "%s must be an integer value of 1", element.name());
        }
        return new Filter.Always(answer);
    }

    private Filter sample(Value value) {
        if (!Numbers.isNumber(value)) {
            throw new CommandException(ErrorCode.BadValue, "argument to $sampleRate must be a numeric type");
        }
        double rate = Numbers.doubleOf(value);
        if (!(rate >= 0 && rate <= 1)) {
            throw new CommandException(ErrorCode.BadValue, "numeric argument to $sampleRate must be in [0, 1]");
        }
        return new Filter.Sample(rate, scope.environment().random());
    }

    private Filter schema(Value value) {
        if (!(value instanceof Value.Doc(RawDocument schema))) {
            throw new CommandException(ErrorCode.TypeMismatch, "$jsonSchema must be an object");
        }
        return new Filter.Schema(JsonSchema.parse(schema, scope));
    }
}
