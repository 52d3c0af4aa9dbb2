package dev.semel.query.pipeline;

import static java.util.Map.entry;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Scope;
import dev.semel.query.expression.TimeUnit;
import dev.semel.query.pipeline.window.Collected;
import dev.semel.query.pipeline.window.Covariance;
import dev.semel.query.pipeline.window.Derivative;
import dev.semel.query.pipeline.window.Ends;
import dev.semel.query.pipeline.window.ExpMovingAvg;
import dev.semel.query.pipeline.window.Extremes;
import dev.semel.query.pipeline.window.Fills;
import dev.semel.query.pipeline.window.Integral;
import dev.semel.query.pipeline.window.Quantile;
import dev.semel.query.pipeline.window.Ranked;
import dev.semel.query.pipeline.window.Ranks;
import dev.semel.query.pipeline.window.Totals;
import dev.semel.query.pipeline.window.Window;
import dev.semel.query.pipeline.window.WindowFunction;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads window functions. The names of all of them are in one table, A to Z. */
final class WindowFunctionParser {
    @FunctionalInterface
    private interface Form {
        WindowFunction parse(WindowFunctionParser parser, String name, RawDocument specification);
    }

    private static final Map<String, Form> FUNCTIONS = Map.ofEntries(
            entry("$addToSet", comparing(Collected::addToSet)),
            entry("$avg", unary(Totals::average)),
            entry("$bottom", WindowFunctionParser::several),
            entry("$bottomN", WindowFunctionParser::several),
            entry("$count", WindowFunctionParser::count),
            entry("$covariancePop", unary(Covariance::ofPopulation)),
            entry("$covarianceSamp", unary(Covariance::ofSample)),
            entry("$denseRank", WindowFunctionParser::rank),
            entry("$derivative", WindowFunctionParser::derivative),
            entry("$documentNumber", WindowFunctionParser::rank),
            entry("$expMovingAvg", WindowFunctionParser::expMovingAvg),
            entry("$first", end(Ends::first)),
            entry("$firstN", WindowFunctionParser::several),
            entry("$integral", WindowFunctionParser::integral),
            entry("$last", end(Ends::last)),
            entry("$lastN", WindowFunctionParser::several),
            entry("$linearFill", WindowFunctionParser::fill),
            entry("$locf", WindowFunctionParser::fill),
            entry("$max", comparing(Extremes::max)),
            entry("$maxN", WindowFunctionParser::several),
            entry("$median", WindowFunctionParser::quantile),
            entry("$min", comparing(Extremes::min)),
            entry("$minN", WindowFunctionParser::several),
            entry("$percentile", WindowFunctionParser::quantile),
            entry("$push", unary(Collected::push)),
            entry("$rank", WindowFunctionParser::rank),
            entry("$shift", WindowFunctionParser::shift),
            entry("$stdDevPop", unary(Totals::stdDevPop)),
            entry("$stdDevSamp", unary(Totals::stdDevSamp)),
            entry("$sum", unary(Totals::sum)),
            entry("$top", WindowFunctionParser::several),
            entry("$topN", WindowFunctionParser::several));

    private static final String WINDOW = "window";

    private final Scope scope;
    private final @Nullable SortPattern sortBy;
    private final @Nullable Expression position;

    /** What the function being read reads itself. */
    private FieldSet read = new FieldSet();

    /**
     * @param sortBy how partitions are sorted, if they are
     * @param position the field they are sorted by, if it is just one
     */
    WindowFunctionParser(Scope scope, @Nullable SortPattern sortBy, @Nullable Expression position) {
        this.scope = scope;
        this.sortBy = sortBy;
        this.position = position;
    }

    /** The function of an output field; adds the fields of documents that it reads. */
    WindowFunction parse(Element field, FieldSet into) {
        if (!(field.value() instanceof Value.Doc(RawDocument specification))) {
            throw wrong("The field '%s' must be an object", field.name());
        }
        read = into;
        for (Element each : specification) {
            if (each.name().startsWith("$")) {
                Form form = FUNCTIONS.get(each.name());
                if (form == null) {
                    throw wrong("Unrecognized window function, %s", each.name());
                }
                return form.parse(this, each.name(), specification);
            }
        }
        Element first = specification.first();
        throw wrong(
                "Expected a $-prefixed window function%s",
                first == null || first.name().isEmpty() ? "" : ", " + first.name());
    }

    private Expression expression(Value value) {
        Expression expression = Expressions.parse(value, scope);
        Expressions.collectFields(expression, read);
        return expression;
    }

    private Window window(Value value) {
        return new WindowBoundsParser(scope, sortBy).parse(value);
    }

    private static CommandException wrong(String message, Object... arguments) {
        return new CommandException(ErrorCode.FailedToParse, message, arguments);
    }

    private static CommandException wrong(int code, String message, Object... arguments) {
        return new CommandException(ErrorCode.location(code), message, arguments);
    }

    // ---- an expression and a window

    @FunctionalInterface
    private interface Unary {
        WindowFunction of(Expression input, Window window);
    }

    @FunctionalInterface
    private interface Comparing {
        WindowFunction of(Expression input, Window window, Collation collation);
    }

    private static Form unary(Unary function) {
        return (parser, name, specification) -> {
            Window window = parser.windowBeside(specification);
            return function.of(parser.expression(parser.argument(name, specification)), window);
        };
    }

    private static Form comparing(Comparing function) {
        return (parser, name, specification) -> {
            Window window = parser.windowBeside(specification);
            Expression input = parser.expression(parser.argument(name, specification));
            return function.of(input, window, parser.scope.collation());
        };
    }

    /** The window that stands beside one function, and nothing else. */
    private Window windowBeside(RawDocument specification) {
        Window window = Window.whole();
        boolean seen = false;
        for (Element each : specification) {
            if (each.name().equals(WINDOW)) {
                window = window(each.value());
            } else if (!FUNCTIONS.containsKey(each.name())) {
                throw wrong("Window function found an unknown argument: %s", each.name());
            } else if (seen) {
                throw wrong("Cannot specify two functions in window function spec");
            } else {
                seen = true;
            }
        }
        return window;
    }

    private Value argument(String name, RawDocument specification) {
        Value argument = specification.get(name);
        return argument == null ? Value.NULL : argument;
    }

    private WindowFunction count(String name, RawDocument specification) {
        Window window = windowBeside(specification);
        if (!(argument(name, specification) instanceof Value.Doc(RawDocument document)) || !document.isEmpty()) {
            throw wrong("$count only accepts an empty object as input");
        }
        return Totals.count(window);
    }

    private WindowFunction fill(String name, RawDocument specification) {
        boolean hasWindow = specification.get(WINDOW) != null;
        if (!hasWindow) {
            windowBeside(specification);
        }
        Expression input = expression(argument(name, specification));
        if (hasWindow) {
            throw wrong("'window' field is not allowed in %s", name);
        }
        if (name.equals("$locf")) {
            return Fills.locf(input);
        }
        if (position == null) {
            throw wrong(
                    605001, "%s must be specified with a top level sortBy expression with exactly one element", name);
        }
        return Fills.linear(position, input);
    }

    private static Form end(Unary function) {
        return (parser, name, specification) -> {
            Window window = parser.windowBeside(name, specification);
            return function.of(parser.expression(parser.argument(name, specification)), window);
        };
    }

    /** The same for functions that say of themselves what they do not expect. */
    private Window windowBeside(String name, RawDocument specification) {
        Window window = null;
        for (Element each : specification) {
            if (each.name().equals(WINDOW)) {
                if (window != null) {
                    throw wrong("saw multiple 'window' fields in '%s' expression", name);
                }
                window = window(each.value());
            } else if (!each.name().equals(name)) {
                throw wrong("%s got unexpected argument: %s", name, each.name());
            }
        }
        return window == null ? Window.whole() : window;
    }

    // ---- those of $group that take several arguments

    private WindowFunction several(String name, RawDocument specification) {
        Window window = windowBeside(name, specification);
        RawDocument accumulator = new dev.semel.wire.bson.BsonWriter()
                .put(name, argument(name, specification))
                .finish();
        Gathering gathering = GroupParser.gathering(new Element("n", Value.of(accumulator)), scope);
        gathering.collectFields(read);
        Expression input = gathering.argument();
        SortOrder order = gathering.order();
        Expression count = gathering.count();
        return partition -> {
            int n = count == null ? 1 : Counts.evaluate(count, partition.environment(), Value.NULL);
            return of(name, input, n, order, window).start(partition);
        };
    }

    private WindowFunction of(String name, Expression input, int n, @Nullable SortOrder order, Window window) {
        if (order != null) {
            return switch (name) {
                case "$top" -> Ranked.top(input, order, window);
                case "$topN" -> Ranked.topN(input, order, n, window);
                case "$bottom" -> Ranked.bottom(input, order, window);
                default -> Ranked.bottomN(input, order, n, window);
            };
        }
        return switch (name) {
            case "$firstN" -> Collected.firstN(input, n, window);
            case "$lastN" -> Collected.lastN(input, n, window);
            case "$minN" -> Ranked.minN(input, n, window, scope.collation());
            default -> Ranked.maxN(input, n, window, scope.collation());
        };
    }

    private WindowFunction quantile(String name, RawDocument specification) {
        Window window = windowBeside(name, specification);
        QuantileParser.Arguments arguments = QuantileParser.arguments(name, argument(name, specification), scope);
        Expressions.collectFields(arguments.input(), read);
        double[] places = arguments.places();
        return places == null
                ? Quantile.median(arguments.input(), window)
                : Quantile.percentile(arguments.input(), places, window);
    }

    // ---- ranks

    private WindowFunction rank(String name, RawDocument specification) {
        if (specification.size() != 1) {
            throw wrong(5371601, "Rank style window functions take no other arguments");
        }
        if (!(argument(name, specification) instanceof Value.Doc(RawDocument document)) || !document.isEmpty()) {
            throw wrong(5371603, "%s must be specified with '{}' as the value", name);
        }
        if (sortBy == null || position == null) {
            throw wrong(
                    5371602, "%s must be specified with a top level sortBy expression with exactly one element", name);
        }
        Expressions.collectFields(position, read);
        SortOrder order = new SortOrder(sortBy);
        return switch (name) {
            case "$rank" -> Ranks.rank(order);
            case "$denseRank" -> Ranks.denseRank(order);
            default -> Ranks.documentNumber();
        };
    }

    // ---- $expMovingAvg

    private WindowFunction expMovingAvg(String name, RawDocument specification) {
        if (specification.size() != 1 || !(specification.get(name) instanceof Value.Doc(RawDocument options))) {
            throw wrong("$expMovingAvg must have exactly one argument that is an object");
        }
        String twoFields = "$expMovingAvg sub object must have exactly two fields: An 'input' field, and either an 'N'"
                + " field or an 'alpha' field";
        Value input = options.get("input");
        if (options.size() != 2 || input == null) {
            throw wrong("%s", twoFields);
        }
        if (sortBy == null) {
            throw wrong("$expMovingAvg requires an explicit 'sortBy'");
        }
        Expression average = expression(input);
        Value n = options.get("N");
        Value alpha = options.get("alpha");
        if (n != null) {
            return ExpMovingAvg.of(average, weight(n));
        }
        if (alpha != null) {
            return ExpMovingAvg.of(average, alpha(alpha));
        }
        throw wrong("Got unrecognized field in $expMovingAvg%s", twoFields);
    }

    /** The weight of the current one of so many documents. */
    private static Decimal128 weight(Value n) {
        if (!Numbers.isNumber(n)) {
            throw wrong(
                    "'N' field must be an integer, but found type %s", n.type().alias());
        }
        double number = Numbers.doubleOf(n);
        if (number != Math.floor(number)) {
            throw wrong(
                    "'N' field must be an integer, but found  N: %s. To use a non-integer, use the 'alpha' argument"
                            + " instead",
                    Shell.text(n));
        }
        long count = Numbers.saturatedLong(n);
        if (count <= 0) {
            throw wrong("'N' must be greater than zero. Got %d", count);
        }
        Value sum = Numbers.add(new Value.Decimal(Decimal128.of(count)), Value.of(1));
        return Numbers.decimal(Numbers.divide(Value.of(2), sum));
    }

    private static Decimal128 alpha(Value alpha) {
        if (!Numbers.isNumber(alpha)) {
            throw wrong("'alpha' must be a number");
        }
        Value decimal = new Value.Decimal(Numbers.decimal(alpha));
        boolean between = !Numbers.isNaN(decimal)
                && Numbers.compare(decimal, Value.of(0)) > 0
                && Numbers.compare(decimal, Value.of(1)) < 0;
        if (!between) {
            throw wrong("'alpha' must be between 0 and 1 (exclusive), found alpha: %s", Shell.text(alpha));
        }
        return Numbers.decimal(decimal);
    }

    // ---- $derivative, $integral

    private record Measured(Expression input, @Nullable TimeUnit unit) {}

    private WindowFunction derivative(String name, RawDocument specification) {
        Expression at = requirePosition(name);
        Window window = specification.get(WINDOW) == null ? null : windowBeside(name, specification);
        windowBeside(name, specification);
        Measured measured = measured(name, specification);
        if (window == null) {
            throw wrong("$derivative requires explicit window bounds");
        }
        return Derivative.of(at, measured.input(), measured.unit(), window);
    }

    private WindowFunction integral(String name, RawDocument specification) {
        Expression at = requirePosition(name);
        Window window = windowBeside(name, specification);
        Measured measured = measured(name, specification);
        return Integral.of(at, measured.input(), measured.unit(), window);
    }

    private Expression requirePosition(String name) {
        if (sortBy == null) {
            throw wrong("%s requires a sortBy", name);
        }
        if (position == null) {
            throw wrong("%s requires a non-compound sortBy", name);
        }
        return position;
    }

    private Measured measured(String name, RawDocument specification) {
        Value argument = argument(name, specification);
        if (!(argument instanceof Value.Doc(RawDocument options))) {
            throw wrong(
                    "%s expects an object, but got a %s: %s: %s",
                    name, argument.type().alias(), name, Shell.text(argument));
        }
        Expression input = null;
        TimeUnit unit = null;
        for (Element each : options) {
            switch (each.name()) {
                case "input" -> input = expression(each.value());
                case "unit" -> unit = unit(each.value());
                default -> throw wrong("%s got unexpected argument: %s", name, each.name());
            }
        }
        if (input == null) {
            throw wrong("%s requires an 'input' expression", name);
        }
        return new Measured(input, unit);
    }

    private static TimeUnit unit(Value value) {
        if (!(value instanceof Value.Str(Text text))) {
            throw wrong("unit' must be a string, but got %s", value.type().alias());
        }
        TimeUnit unit = TimeUnit.named(text.toString());
        if (unit.typicalMillis() == 0) {
            throw wrong(5490710, "unit must be 'week' or smaller");
        }
        return unit;
    }

    // ---- $shift

    private WindowFunction shift(String name, RawDocument specification) {
        RawDocument options = null;
        for (Element each : specification) {
            if (each.name().equals(WINDOW)) {
                throw wrong("$shift does not accept a 'window' field");
            }
            if (!FUNCTIONS.containsKey(each.name())) {
                throw wrong("Window function found an unknown argument: %s", each.name());
            }
            if (options != null) {
                throw wrong("Cannot specify multiple functions in window function spec");
            }
            if (!(each.value() instanceof Value.Doc(RawDocument given))) {
                throw wrong("Argument to $shift must be an object");
            }
            options = given;
        }
        WindowFunction shift = shifted(options == null ? RawDocument.EMPTY : options);
        if (sortBy == null) {
            throw wrong("'$shift' requires a sortBy");
        }
        return shift;
    }

    private WindowFunction shifted(RawDocument options) {
        Expression output = null;
        Value otherwise = null;
        OptionalLong by = OptionalLong.empty();
        for (Element each : options) {
            switch (each.name()) {
                case "output" -> output = expression(each.value());
                case "default" -> {
                    if (!(Expressions.parse(each.value(), scope) instanceof Expression.Literal(Value constant))) {
                        throw wrong("'$shift:default' expression must yield a constant value.");
                    }
                    otherwise = constant;
                }
                case "by" -> {
                    by = Numbers.exactLong(each.value());
                    if (by.isEmpty() || by.getAsLong() != (int) by.getAsLong()) {
                        throw wrong(
                                "'$shift:by' field must be an integer, but found  by: %s", Shell.text(each.value()));
                    }
                }
                default -> throw wrong("Unknown argument in $shift");
            }
        }
        if (output == null) {
            throw wrong("$shift requires an 'output' expression.");
        }
        if (by.isEmpty()) {
            throw wrong("$shift requires 'by' as an integer value.");
        }
        return Ends.shift(output, (int) by.getAsLong(), otherwise);
    }
}
