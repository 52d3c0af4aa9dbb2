package dev.semel.server.settings;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One server parameter: a name, a value, and what values it takes. Read by any thread; the newest value counts.
 *
 * @param <T> the value as the server uses it
 */
public final class Setting<T> {
    private final String name;
    private final Kind<T> kind;
    private final When when;
    private volatile T value;
    private volatile @Nullable Consumer<T> listener;

    /** When a parameter may be set. */
    public enum When {
        AT_RUNTIME,
        AT_START,
        NEVER
    }

    /**
     * How values of a type come in and go out.
     *
     * @param parse throws an {@link IllegalArgumentException} that says what is wrong with the value
     */
    record Kind<T>(Function<Value, T> parse, Function<T, Value> show) {}

    Setting(String name, Kind<T> kind, When when, T value) {
        this.name = name;
        this.kind = kind;
        this.when = when;
        this.value = value;
    }

    public String name() {
        return name;
    }

    public T value() {
        return value;
    }

    public Value shown() {
        return kind.show.apply(value);
    }

    public boolean isSettable(When now) {
        return when == When.AT_RUNTIME || (when == When.AT_START && now == When.AT_START);
    }

    public boolean isSettableAtStart() {
        return when != When.NEVER;
    }

    /** Called at each change; one listener at most, wired at the start. */
    public void onChange(Consumer<T> told) {
        listener = told;
    }

    /** A client's, or the command line's, value; 72 or 2 if it may not be set now or not to this. */
    public void set(Value given, When now) {
        if (!isSettable(now)) {
            throw new CommandException(
                    ErrorCode.IllegalOperation,
                    "not allowed to change [%s] at %s",
                    name,
                    now == When.AT_START ? "start" : "runtime");
        }
        try {
            set(kind.parse.apply(given));
        } catch (IllegalArgumentException e) {
            throw new CommandException(
                    ErrorCode.BadValue, "Invalid value for parameter %s: %s", name, String.valueOf(e.getMessage()));
        }
    }

    public void set(T changed) {
        value = changed;
        Consumer<T> told = listener;
        if (told != null) {
            told.accept(changed);
        }
    }

    // ---- kinds

    static final Kind<Boolean> BOOL = new Kind<>(
            given -> switch (given) {
                case Value.Bool(boolean bool) -> bool;
                case Value.Int32(int number) -> number != 0;
                case Value.Int64(long number) -> number != 0;
                case Value.Double64(double number) -> number != 0;
                case Value.Str(var text) when text.toString().matches("true|1") -> true;
                case Value.Str(var text) when text.toString().matches("false|0") -> false;
                default -> throw new IllegalArgumentException("expected true or false");
            },
            Value.Bool::new);

    static Kind<Long> wholeNumber(long least, long most) {
        return new Kind<>(
                given -> {
                    long number = wholeNumber(given);
                    if (number < least || number > most) {
                        throw new IllegalArgumentException(
                                "%d is not between %d and %d".formatted(number, least, most));
                    }
                    return number;
                },
                number -> number == number.intValue() ? new Value.Int32(number.intValue()) : new Value.Int64(number));
    }

    private static long wholeNumber(Value given) {
        return switch (given) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case Value.Double64(double number) when number == Math.rint(number) -> (long) number;
            case Value.Str(var text) when text.toString().matches("-?[0-9]{1,18}") -> Long.parseLong(text.toString());
            default -> throw new IllegalArgumentException("expected a whole number");
        };
    }

    static Kind<Double> number(double least, double most) {
        return new Kind<>(
                given -> {
                    double number = switch (given) {
                        case Value.Int32(int whole) -> whole;
                        case Value.Int64(long whole) -> whole;
                        case Value.Double64(double real) -> real;
                        case Value.Str(var text) -> Double.parseDouble(text.toString());
                        default -> throw new IllegalArgumentException("expected a number");
                    };
                    if (!(number >= least && number <= most)) {
                        throw new IllegalArgumentException(
                                "%s is not between %s and %s".formatted(number, least, most));
                    }
                    return number;
                },
                Value.Double64::new);
    }

    static Kind<String> oneOf(List<String> words) {
        return new Kind<>(
                given -> {
                    if (given instanceof Value.Str(var text) && words.contains(text.toString())) {
                        return text.toString();
                    }
                    throw new IllegalArgumentException("expected one of " + words);
                },
                Value::of);
    }

    static final Kind<Value> ANY = new Kind<>(Function.identity(), Function.identity());
}
