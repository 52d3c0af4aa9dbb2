package dev.semel.query.update;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operators that compute with numbers. */
final class NumberModifications {
    private NumberModifications() {}

    static Modification inc(String path, Value value) {
        return new Inc(number("increment", path, value));
    }

    static Modification mul(String path, Value value) {
        return new Mul(number("multiply", path, value));
    }

    private static Value number(String verb, String path, Value value) {
        if (!Numbers.isNumber(value)) {
            throw new CommandException(
                    ErrorCode.TypeMismatch,
                    "Cannot %s with non-numeric argument: {%s: %s}",
                    verb,
                    path,
                    Shell.text(value));
        }
        return value;
    }

    record Inc(Value by) implements Modification {
        @Override
        public Value apply(@Nullable Value before, Site site) {
            return before == null
                    ? by
                    : kept(before, checked("$inc", before, Numbers.addExact(before(before, "$inc", site), by), site));
        }
    }

    record Mul(Value by) implements Modification {
        @Override
        public Value apply(@Nullable Value before, Site site) {
            if (before == null) {
                return zeroLike(by);
            }
            return kept(before, checked("$mul", before, Numbers.multiplyExact(before(before, "$mul", site), by), site));
        }

        private static Value zeroLike(Value number) {
            return switch (number) {
                case Value.Int64 ignored -> Value.of(0L);
                case Value.Double64 ignored -> Value.of(0.0);
                case Value.Decimal ignored -> new Value.Decimal(Decimal128.ZERO);
                default -> Value.of(0);
            };
        }
    }

    private static Value before(Value before, String operator, Modification.Site site) {
        if (!Numbers.isNumber(before)) {
            throw new CommandException(
                    ErrorCode.TypeMismatch,
                    "Cannot apply %s to a value of non-numeric type. %s has the field '%s' of non-numeric type %s",
                    operator,
                    site.document(),
                    site.name(),
                    before.type());
        }
        return before;
    }

    private static Value checked(String operator, Value before, @Nullable Value after, Modification.Site site) {
        if (after == null) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Failed to apply %s operations to current value ((%s)%s) for document %s",
                    operator,
                    before.type() == BsonType.INT32 ? "NumberInt" : "NumberLong",
                    Shell.text(before),
                    site.document());
        }
        return after;
    }

    private static Value kept(Value before, Value after) {
        return after.equals(before) ? before : after;
    }

    /** {@code $bit}: the operations in the order given. */
    record Bit(List<Operation> operations) implements Modification {
        static Bit parse(String path, Value value) {
            if (!(value instanceof Value.Doc(RawDocument document))) {
                throw new CommandException(
                        ErrorCode.BadValue,
                        "The $bit modifier is not compatible with a %s. You must pass in an embedded document: "
                                + "{$bit: {field: {and/or/xor: #}}",
                        value.type());
            }
            var operations = new ArrayList<Operation>();
            for (Element element : document) {
                operations.add(operation(element));
            }
            if (operations.isEmpty()) {
                throw new CommandException(
                        ErrorCode.BadValue,
                        "You must pass in at least one bitwise operation. The format is: {$bit: {field: "
                                + "{and/or/xor: #}}");
            }
            return new Bit(List.copyOf(operations));
        }

        private static Operation operation(Element element) {
            Operator operator = switch (element.name()) {
                case "and" -> Operator.AND;
                case "or" -> Operator.OR;
                case "xor" -> Operator.XOR;
                default ->
                    throw new CommandException(
                            ErrorCode.BadValue,
                            "The $bit modifier only supports 'and', 'or', and 'xor', not '%s' which is an unknown "
                                    + "operator: {%s: %s}",
                            element.name(),
                            element.name(),
                            Shell.text(element.value()));
            };
            return switch (element.value()) {
                case Value.Int32(int number) -> new Operation(operator, number, false);
                case Value.Int64(long number) -> new Operation(operator, number, true);
                default ->
                    throw new CommandException(
                            ErrorCode.BadValue,
                            "The $bit modifier field must be an Integer(32/64 bit); a '%s' is not supported here: "
                                    + "{%s: %s}",
                            element.value().type(),
                            element.name(),
                            Shell.text(element.value()));
            };
        }

        @Override
        public Value apply(@Nullable Value before, Site site) {
            long bits;
            boolean isLong;
            switch (before) {
                case null -> {
                    bits = 0;
                    isLong = false;
                }
                case Value.Int32(int number) -> {
                    bits = number;
                    isLong = false;
                }
                case Value.Int64(long number) -> {
                    bits = number;
                    isLong = true;
                }
                default ->
                    throw new CommandException(
                            ErrorCode.BadValue,
                            "Cannot apply $bit to a value of non-integral type.%s has the field %s of non-integer type "
                                    + "%s",
                            site.document(),
                            site.name(),
                            before.type());
            }
            for (Operation operation : operations) {
                bits = operation.apply(bits);
                isLong |= operation.isLong();
            }
            Value after = isLong ? Value.of(bits) : Value.of((int) bits);
            return before == null ? after : kept(before, after);
        }

        private enum Operator {
            AND,
            OR,
            XOR
        }

        private record Operation(Operator operator, long operand, boolean isLong) {
            long apply(long bits) {
                return switch (operator) {
                    case AND -> bits & operand;
                    case OR -> bits | operand;
                    case XOR -> bits ^ operand;
                };
            }
        }
    }
}
