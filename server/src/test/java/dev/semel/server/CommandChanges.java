package dev.semel.server;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes a command in a few places: removes, replaces, doubles, renames and wraps values, with names and values of others. */
final class CommandChanges {
    private final CommandSeeds seeds;
    private final IntUnaryOperator choice;

    /** Values that are still to be passed before the one that is changed. */
    private int left;

    /** @param choice a number from 0 on that is below the given one */
    CommandChanges(CommandSeeds seeds, IntUnaryOperator choice) {
        this.seeds = seeds;
        this.choice = choice;
    }

    RawDocument change(RawDocument command) {
        left = choice.applyAsInt(count(command));
        return changed(command, false);
    }

    private static int count(RawDocument document) {
        int count = 0;
        for (Element each : document) {
            RawDocument inner = inner(each.value());
            count += 1 + (inner == null ? 0 : count(inner));
        }
        return Math.max(1, count);
    }

    private static @Nullable RawDocument inner(Value value) {
        return switch (value) {
            case Value.Doc(RawDocument document) -> document;
            case Value.Array(RawDocument elements) -> elements;
            default -> null;
        };
    }

    private RawDocument changed(RawDocument document, boolean isArray) {
        BsonWriter out = new BsonWriter();
        int index = 0;
        for (Element each : document) {
            String name = isArray ? Integer.toString(index++) : each.name();
            if (left-- == 0) {
                index += change(out, name, each.value(), isArray, index);
            } else {
                RawDocument inner = inner(each.value());
                out.put(
                        name,
                        inner == null || left < 0
                                ? each.value()
                                : each.value() instanceof Value.Array
                                        ? new Value.Array(changed(inner, true))
                                        : new Value.Doc(changed(inner, false)));
            }
        }
        return out.finish();
    }

    /** Returns how many elements more than one it has written. */
    private int change(BsonWriter out, String name, Value value, boolean isArray, int index) {
        switch (choice.applyAsInt(11)) {
            case 0 ->
                out.put(
                        name,
                        seeds.corners().get(choice.applyAsInt(seeds.corners().size())));
            case 1, 2 -> out.put(name, otherValue());
            case 3 -> {
                return -1;
            }
            case 4 -> out.put(name, array(value));
            case 5 ->
                out.put(
                        name,
                        new Value.Doc(new BsonWriter().put(otherName(), value).finish()));
            case 6 -> out.put(isArray ? name : otherName(), value);
            case 7 -> {
                out.put(name, value).put(isArray ? Integer.toString(index) : name, value);
                return 1;
            }
            case 8 -> {
                out.put(name, value).put(isArray ? Integer.toString(index) : otherName(), otherValue());
                return 1;
            }
            case 9 -> {
                RawDocument inner = inner(value);
                Element first = inner == null ? null : inner.first();
                out.put(name, first == null ? negative(value) : first.value());
            }
            default -> out.put(name, other(value));
        }
        return 0;
    }

    private static Value array(Value value) {
        return new Value.Array(new BsonWriter().put("0", value).put("1", value).finish());
    }

    private static Value negative(Value value) {
        return switch (value) {
            case Value.Int32(int number) -> Value.of(-number);
            case Value.Int64(long number) -> Value.of(-number);
            case Value.Double64(double number) -> Value.of(-number);
            case Value.Bool(boolean answer) -> Value.of(!answer);
            default -> Value.NULL;
        };
    }

    /** With one more value in it. */
    private Value other(Value value) {
        RawDocument inner = inner(value);
        if (inner == null) {
            return otherValue();
        }
        String name = value instanceof Value.Array ? Integer.toString(inner.size()) : otherName();
        RawDocument more =
                new BsonWriter().copyAll(inner).put(name, otherValue()).finish();
        return value instanceof Value.Array ? new Value.Array(more) : new Value.Doc(more);
    }

    private String otherName() {
        return seeds.names().get(choice.applyAsInt(seeds.names().size()));
    }

    private Value otherValue() {
        return seeds.values().get(choice.applyAsInt(seeds.values().size()));
    }
}
