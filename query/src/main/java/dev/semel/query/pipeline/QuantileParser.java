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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads {@code $median} and {@code $percentile} of {@code $group}. */
final class QuantileParser {
    private static final int NUMBER_BYTES = 16;

    private QuantileParser() {}

    static Gathering median(String name, Value operand, Scope scope) {
        RawDocument options = options(name, operand, 7436100, Set.of("input", "method"));
        return gathering(name, options, scope, Quantiles::median);
    }

    static Gathering percentile(String name, Value operand, Scope scope) {
        RawDocument options = options(name, operand, 7429703, Set.of("input", "p", "method"));
        Value given = required(name, options, "p");
        if (!(Expressions.parse(given, scope) instanceof Expression.Literal(var constant))) {
            throw new CommandException(
                    ErrorCode.location(7750300),
                    "The $percentile 'p' field must be an array of constant values, but found value: %s.",
                    Shell.text(given));
        }
        double[] places = Quantiles.places(constant);
        return gathering(name, options, scope, quantiles -> quantiles.at(places));
    }

    private static Gathering gathering(
            String name, RawDocument options, Scope scope, Function<Quantiles, Value> result) {
        Quantiles.checkMethod(name, required(name, options, "method"));
        Expression input = Expressions.parse(required(name, options, "input"), scope);
        return Gathering.of(name, input, start -> new Accumulator() {
            private final Quantiles quantiles = new Quantiles();

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                if (quantiles.add(value)) {
                    start.budget().charge(NUMBER_BYTES);
                }
            }

            @Override
            public Value result() {
                return result.apply(quantiles);
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
