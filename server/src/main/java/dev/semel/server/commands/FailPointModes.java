package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.failpoint.Mode;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;

/** The {@code mode} of {@code configureFailPoint}. */
final class FailPointModes {
    private FailPointModes() {}

    static Mode parse(Arguments in) {
        return switch (in.optional("mode")) {
            case null ->
                throw new CommandException(ErrorCode.IllegalOperation, "a fail point cannot be set without a 'mode'");
            case Value.Str(Text word) -> parse(word.toString());
            case Value.Doc(RawDocument fields) -> parse(fields);
            case Value other -> throw in.wrongType("mode", other, "'[string, object]'");
        };
    }

    private static Mode parse(String word) {
        return switch (word) {
            case "off" -> new Mode.Off();
            case "alwaysOn" -> new Mode.AlwaysOn();
            default -> throw new CommandException(ErrorCode.BadValue, "unknown mode: %s", word);
        };
    }

    /** As in MongoDB, the first of these that is there counts and other fields do not. */
    private static Mode parse(RawDocument fields) {
        Value times = fields.get("times");
        if (times != null) {
            return new Mode.Times(count("times", times));
        }
        Value skip = fields.get("skip");
        if (skip != null) {
            return new Mode.Skip(count("skip", skip));
        }
        Value probability = fields.get("activationProbability");
        if (probability != null) {
            return new Mode.Activation(probability(probability));
        }
        throw unknown(fields);
    }

    private static CommandException unknown(RawDocument fields) {
        return new CommandException(
                ErrorCode.BadValue,
                "'mode' must be 'off', 'alwaysOn' or have one of 'times', 'skip' and 'activationProbability', not '%s'",
                Shell.text(fields));
    }

    private static long count(String name, Value value) {
        long count = switch (value) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case Value.Double64(double number) when number == Math.rint(number) -> (long) number;
            default ->
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "the '%s' option of 'mode' must be a whole number, not of type '%s'",
                        name,
                        value.type().alias());
        };
        if (count < 0) {
            throw new CommandException(
                    ErrorCode.BadValue, "'%s' option of 'mode' must not be negative: %d", name, count);
        }
        if (count > Integer.MAX_VALUE) {
            throw new CommandException(ErrorCode.BadValue, "'%s' option of 'mode' is too large: %d", name, count);
        }
        return count;
    }

    private static double probability(Value value) {
        double number = switch (value) {
            case Value.Int32(int whole) -> whole;
            case Value.Int64(long whole) -> whole;
            case Value.Double64(double real) -> real;
            default ->
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "the 'activationProbability' option of 'mode' must be a number, not of type '%s'",
                        value.type().alias());
        };
        if (!(number >= 0 && number <= 1)) {
            throw new CommandException(
                    ErrorCode.BadValue, "activationProbability must be between 0.0 and 1.0; found %s", number);
        }
        return number;
    }
}
