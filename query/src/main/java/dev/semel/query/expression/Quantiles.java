package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * {@code $percentile $median}: numbers by their places among others. The answer is always one of the numbers, and exact; what
 * is no number is passed over.
 */
public final class Quantiles {
    private static final double MEDIAN = 0.5;

    static final Parameters PERCENTILE = Parameters.of(ErrorCode.location(7436200), ErrorCode.IDLUnknownField)
            .required("input", ErrorCode.IDLFailedToParse)
            .required("p", ErrorCode.IDLFailedToParse)
            .required("method", ErrorCode.IDLFailedToParse);
    static final Parameters MEDIAN_OPTIONS = Parameters.of(ErrorCode.location(7436200), ErrorCode.IDLUnknownField)
            .required("input", ErrorCode.IDLFailedToParse)
            .required("method", ErrorCode.IDLFailedToParse);

    private double[] numbers = new double[16];
    private int count;

    /** Whether it was a number and is held now. */
    public boolean add(@Nullable Value value) {
        if (!Numbers.isNumber(value) || value == null) {
            return false;
        }
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, count * 2);
        }
        numbers[count++] = Numbers.doubleOf(value);
        return true;
    }

    /** All numbers, for {@link #addAll}. */
    public Value state() {
        ByteBuffer all = ByteBuffer.allocate(count * Double.BYTES);
        for (int i = 0; i < count; i++) {
            all.putDouble(numbers[i]);
        }
        return new Value.Binary((byte) 0, all.array());
    }

    /** Adds those of a state; returns how many they were. */
    public int addAll(Value state) {
        if (!(state instanceof Value.Binary binary)) {
            throw new IllegalArgumentException("not a state: " + state);
        }
        int more = binary.bytes().length / Double.BYTES;
        if (count + more > numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(count + more, count * 2));
        }
        ByteBuffer.wrap(binary.bytes()).asDoubleBuffer().get(numbers, count, more);
        count += more;
        return more;
    }

    public Value median() {
        Arrays.sort(numbers, 0, count);
        return at(MEDIAN);
    }

    public Value at(double[] places) {
        Arrays.sort(numbers, 0, count);
        BsonWriter found = new BsonWriter(64);
        for (double place : places) {
            found.add(at(place));
        }
        return found.finishArray();
    }

    /** The smallest number that so large a part of them does not exceed. */
    private Value at(double place) {
        if (count == 0) {
            return Value.NULL;
        }
        int index = (int) Math.ceil(place * count) - 1;
        return Value.of(numbers[Math.clamp(index, 0, count - 1)]);
    }

    /** The {@code p} of {@code $percentile}. */
    public static double[] places(@Nullable Value value) {
        if (!(value instanceof Value.Array(RawDocument elements)) || elements.isEmpty()) {
            throw new CommandException(
                    ErrorCode.location(7750301),
                    "The $percentile 'p' field must be a non-empty array of numbers from [0.0, 1.0], but found: %s",
                    Types.show(value));
        }
        double[] places = new double[elements.size()];
        int i = 0;
        for (Element element : elements) {
            double place = Numbers.isNumber(element.value()) ? Numbers.doubleOf(element.value()) : -1;
            if (!(place >= 0 && place <= 1)) {
                throw new CommandException(
                        ErrorCode.location(Numbers.isNumber(element.value()) ? 7750303 : 7750302),
                        "The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: %s",
                        Types.show(element.value()));
            }
            places[i++] = place;
        }
        return places;
    }

    public static void checkMethod(String function, @Nullable Value method) {
        if (!(method instanceof Value.Str(Text text)) || !text.toString().equals("approximate")) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Currently only 'approximate' can be used as percentile 'method'. (%s)",
                    function);
        }
    }

    // ---- over the elements of an array, outside of $group

    static Value percentile(@Nullable Value[] arguments) {
        checkMethod("$percentile", arguments[2]);
        return of(arguments[0]).at(places(arguments[1]));
    }

    static Value median(@Nullable Value[] arguments) {
        checkMethod("$median", arguments[1]);
        return of(arguments[0]).median();
    }

    private static Quantiles of(@Nullable Value input) {
        Quantiles quantiles = new Quantiles();
        if (input instanceof Value.Array(RawDocument elements)) {
            elements.forEach(each -> quantiles.add(each.value()));
        } else {
            quantiles.add(input);
        }
        return quantiles;
    }
}
