package dev.semel.query.filter;

import dev.semel.query.expression.Environment;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code $where}. There is no JavaScript here; the one text that is understood makes a query take long, which is
 * what tests of clients use it for.
 */
public final class Where {
    private static final Pattern SLEEP =
            Pattern.compile("\\s*(?:return\\s+)?sleep\\((\\d{1,9})\\)\\s*\\|\\|\\s*true\\s*;?\\s*");

    private static final Pattern FUNCTION =
            Pattern.compile("\\s*function\\s*\\(\\s*\\)\\s*\\{(.*)\\}\\s*", Pattern.DOTALL);

    private Where() {}

    static Filter parse(Value value, Environment environment) {
        Text code = switch (value) {
            case Value.Str(Text text) -> text;
            case Value.Code(Text text) -> text;
            case Value.CodeWithScope(Text text, var ignored) -> text;
            default -> throw new CommandException(ErrorCode.BadValue, "$where got bad type");
        };
        LongConsumer stall = environment.stall();
        if (stall == null) {
            throw new CommandException(ErrorCode.BadValue, "$where is not allowed in this context");
        }
        String text = code.toString();
        Matcher function = FUNCTION.matcher(text);
        Matcher sleep = SLEEP.matcher(function.matches() ? function.group(1) : text);
        if (!sleep.matches()) {
            throw new CommandException(
                    ErrorCode.JSInterpreterFailure,
                    "$where is only supported as 'sleep(<milliseconds>) || true': the server runs no JavaScript");
        }
        return new Filter.Sleep(Long.parseLong(sleep.group(1)), stall);
    }

    /** Whether a filter contains one; for places that take filters without. */
    public static boolean isIn(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> all.stream().anyMatch(Where::isIn);
            case Filter.Or(var any) -> any.stream().anyMatch(Where::isIn);
            case Filter.Nor(var none) -> none.stream().anyMatch(Where::isIn);
            case Filter.Not(Filter denied) -> isIn(denied);
            case Filter.Sleep ignored -> true;
            case Filter.Field ignored -> false;
            case Filter.Near ignored -> false;
            case Filter.Always ignored -> false;
            case Filter.Sample ignored -> false;
            case Filter.Expr ignored -> false;
            case Filter.Schema ignored -> false;
        };
    }
}
