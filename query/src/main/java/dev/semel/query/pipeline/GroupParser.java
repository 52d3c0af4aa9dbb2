package dev.semel.query.pipeline;

import static java.util.Map.entry;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Scope;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code $group}. The names of all accumulators are in one table, A to Z. */
final class GroupParser {
    @FunctionalInterface
    private interface Form {
        Gathering parse(String name, Value operand, Scope scope);
    }

    private static final Map<String, Form> ACCUMULATORS = Map.ofEntries(
            entry("$_internalJsReduce", ScriptAccumulators::reduce),
            entry("$accumulator", ScriptAccumulators::custom),
            entry("$addToSet", unary(Accumulators::addToSet)),
            entry("$avg", unary(Accumulators::average)),
            entry("$bottom", ordered(false, SeveralAccumulators::bottom)),
            entry("$bottomN", ordered(true, SeveralAccumulators::bottomN)),
            entry("$count", GroupParser::count),
            entry(Accumulators.FIRST, unary(Accumulators::first)),
            entry("$firstN", several(SeveralAccumulators::firstN)),
            entry(Accumulators.LAST, unary(Accumulators::last)),
            entry("$lastN", several(SeveralAccumulators::lastN)),
            entry("$max", unary(Accumulators::max)),
            entry("$maxN", several(SeveralAccumulators::maxN)),
            entry("$median", QuantileParser::parse),
            entry("$mergeObjects", unary(Accumulators::mergeObjects)),
            entry("$min", unary(Accumulators::min)),
            entry("$minN", several(SeveralAccumulators::minN)),
            entry("$percentile", QuantileParser::parse),
            entry("$push", unary(Accumulators::push)),
            entry("$stdDevPop", unary(Accumulators::stdDevPop)),
            entry("$stdDevSamp", unary(Accumulators::stdDevSamp)),
            entry("$sum", unary(Accumulators::sum)),
            entry("$top", ordered(false, SeveralAccumulators::top)),
            entry("$topN", ordered(true, SeveralAccumulators::topN)));

    private GroupParser() {}

    static Stage parse(String name, Value specification, FilterScope filterScope) {
        if (!(specification instanceof Value.Doc(RawDocument fields))) {
            throw wrong(15947, "a group's fields must be specified in an object");
        }
        Scope scope = filterScope.variables();
        Expression id = null;
        List<Group.Field> gathered = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Element field : fields) {
            if (!names.add(field.name())) {
                throw wrong(16406, "duplicate field name specified in $group: %s", field.name());
            }
            if (field.name().equals("_id")) {
                id = Expressions.parse(field.value(), scope);
            } else {
                gathered.add(new Group.Field(field.name(), gathering(field, scope)));
            }
        }
        if (id == null) {
            throw wrong(15955, "a group specification must include an _id");
        }
        return new Group(id, List.copyOf(gathered), scope.collation());
    }

    static Gathering gathering(Element field, Scope scope) {
        if (field.name().indexOf('.') >= 0) {
            throw wrong(40235, "The field name '%s' cannot contain '.'", field.name());
        }
        if (field.name().startsWith("$")) {
            throw wrong(40236, "The field name '%s' cannot be an operator name", field.name());
        }
        if (!(field.value() instanceof Value.Doc(RawDocument accumulator))) {
            throw wrong(40234, "The field '%s' must be an accumulator object", field.name());
        }
        Element only = accumulator.first();
        if (only == null || accumulator.size() != 1) {
            throw wrong(40238, "The field '%s' must specify one accumulator", field.name());
        }
        Form form = ACCUMULATORS.get(only.name());
        if (form == null) {
            throw wrong(15952, "unknown group operator '%s'", only.name());
        }
        return form.parse(only.name(), only.value(), scope);
    }

    /** One argument; an array of one element stands for that element. */
    private static Form unary(Gathering.Factory factory) {
        return (name, operand, scope) -> {
            Value argument = operand;
            if (operand instanceof Value.Array(RawDocument elements)) {
                Element only = elements.first();
                if (only == null || elements.size() != 1) {
                    throw wrong(40237, "The %s accumulator is a unary operator", name);
                }
                argument = only.value();
            }
            return Gathering.of(name, Expressions.parse(argument, scope), factory);
        };
    }

    private static Gathering count(String name, Value operand, Scope scope) {
        if (!(operand instanceof Value.Doc(RawDocument document)) || !document.isEmpty()) {
            throw new CommandException(ErrorCode.TypeMismatch, "$count takes no arguments, i.e. $count:{}");
        }
        return Gathering.of(name, new Expression.Literal(Value.of(1)), Accumulators::sum);
    }

    private static Form several(Gathering.Factory factory) {
        return (name, operand, scope) -> {
            RawDocument options = options(name, operand, 5787900, "specification must be an object; found %s: %s");
            check(options, 5787901, "Unknown argument for 'n' operator: %s", Set.of("n", "input"));
            Value count = required(options, "n", 5787906, "Missing value for 'n'");
            Value input = required(options, "input", 5787907, "Missing value for 'input'");
            return new Gathering(name, Expressions.parse(input, scope), Expressions.parse(count, scope), null, factory);
        };
    }

    private static Form ordered(boolean counted, Gathering.Factory factory) {
        return (name, operand, scope) -> {
            RawDocument options = options(name, operand, 5788001, "specification must be an object; found %s: %s");
            Set<String> known = counted ? Set.of("n", "sortBy", "output") : Set.of("sortBy", "output");
            check(options, 5788002, "Unknown argument to " + name + " '%s'", known);
            Expression count =
                    counted ? Expressions.parse(required(options, "n", 5788003, "Missing value for 'n'"), scope) : null;
            Value output = required(options, "output", 5788004, "Missing value for 'output'");
            Value pattern = required(options, "sortBy", 5788005, "Missing value for 'sortBy'");
            if (!(pattern instanceof Value.Doc(RawDocument sortBy))) {
                throw wrong(5788604, "expected 'sortBy' to already be an object in the arguments to %s", name);
            }
            return new Gathering(
                    name,
                    Expressions.parse(output, scope),
                    count,
                    new SortOrder(SortPattern.parse(sortBy, scope.collation())),
                    factory);
        };
    }

    private static RawDocument options(String name, Value operand, int code, String message) {
        if (!(operand instanceof Value.Doc(RawDocument options))) {
            throw wrong(code, message, name, operand.type());
        }
        return options;
    }

    private static void check(RawDocument options, int code, String message, Set<String> known) {
        for (Element option : options) {
            if (!known.contains(option.name())) {
                throw wrong(code, message, option.name());
            }
        }
    }

    private static Value required(RawDocument options, String option, int code, String message) {
        @Nullable Value value = options.get(option);
        if (value == null) {
            throw wrong(code, message);
        }
        return value;
    }

    private static CommandException wrong(int code, String message, Object... arguments) {
        return new CommandException(ErrorCode.location(code), message, arguments);
    }
}
