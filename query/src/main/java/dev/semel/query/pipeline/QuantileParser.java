package dev.semel.query.pipeline;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Quantiles;
import dev.semel.query.expression.Scope;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code $median} and {@code $percentile} of {@code $group}. */
final class QuantileParser {
    private static final int NUMBER_BYTES = 16;

    private QuantileParser() {}

    /**
     * What both are given.
     *
     * @param places null for the median
     */
    record Arguments(Expression input, double @Nullable [] places) {}

    static Arguments arguments(String name, Value operand, Scope scope) {
        return name.equals("$median") ? ofMedian(name, operand, scope) : ofPercentile(name, operand, scope);
    }

    private static Arguments ofMedian(String name, Value operand, Scope scope) {
        RawDocument options = options(name, operand, 7436100, Set.of("input", "method"));
        return new Arguments(input(name, options, scope), null);
    }

    private static Arguments ofPercentile(String name, Value operand, Scope scope) {
        RawDocument options = options(name, operand, 7429703, Set.of("input", "p", "method"));
        Value given = required(name, options, "p");
        if (!(Expressions.parse(given, scope) instanceof Expression.Literal(var constant))) {
            throw new CommandException(
                    ErrorCode.location(7750300),
                    "The $percentile 'p' field must be an array of constant values, but found value: %s.",
                    Shell.text(given));
        }
        double[] places = Quantiles.places(constant);
        return new Arguments(input(name, options, scope), places);
    }

    private static Expression input(String name, RawDocument options, Scope scope) {
        Quantiles.checkMethod(name, required(name, options, "method"));
        return Expressions.parse(required(name, options, "input"), scope);
    }

    static Gathering parse(String name, Value operand, Scope scope) {
        Arguments arguments = arguments(name, operand, scope);
        double[] places = arguments.places();
        return Gathering.of(name, arguments.input(), start -> new Accumulator() {
            private final Quantiles quantiles = new Quantiles();

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (quantiles.add(value)) {
                    start.budget().charge(NUMBER_BYTES);
                }
            }

            @Override
            public Value result() {
                return places == null ? quantiles.median() : quantiles.at(places);
            }

            @Override
            public Value state() {
                return quantiles.state();
            }

            @Override
            public void combine(Value state) {
                start.budget().charge((long) NUMBER_BYTES * quantiles.addAll(state));
            }
        });
    }

    private static RawDocument options(String name, Value operand, int code, Set<String> known) {
        if (!(operand instanceof Value.Doc(RawDocument options))) {
            throw new CommandException(
                    ErrorCode.location(code),
                    "specification must be an object; found %s: %s",
                    name,
                    Shell.text(operand));
        }
        for (Element option : options) {
            if (!known.contains(option.name())) {
                throw new CommandException(
                        ErrorCode.IDLUnknownField, "BSON field '%s.%s' is an unknown field.", name, option.name());
            }
        }
        return options;
    }

    private static Value required(String name, RawDocument options, String field) {
        Value value = options.get(field);
        if (value == null) {
            throw new CommandException(
                    ErrorCode.IDLFailedToParse, "BSON field '%s.%s' is missing but a required field", name, field);
        }
        return value;
    }
}
