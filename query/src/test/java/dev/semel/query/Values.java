package dev.semel.query;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.random.RandomGenerator;

/** Small random documents with few names and few values, so that filters and updates made the same way meet them. */
public final class Values {
    private static final List<String> NAMES = List.of("a", "b", "c", "0", "1");

    private final RandomGenerator random;

    public Values(RandomGenerator random) {
        this.random = random;
    }

    public String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    public String path() {
        String first = NAMES.get(random.nextInt(3));
        return switch (random.nextInt(4)) {
            case 0 -> first + "." + name();
            case 1 -> first + "." + name() + "." + name();
            default -> first;
        };
    }

    public RawDocument document(int depth) {
        var out = new BsonWriter();
        for (String name : NAMES) {
            if (random.nextBoolean()) {
                out.put(name, value(depth));
            }
        }
        return out.finish();
    }

    public Value value(int depth) {
        return switch (random.nextInt(depth > 0 ? 12 : 8)) {
            case 0, 1 -> Value.of(random.nextInt(4));
            case 2 -> Value.of((long) random.nextInt(4));
            case 3 -> Value.of(random.nextInt(8) / 2.0);
            case 4 -> Value.of(random.nextBoolean() ? "x" : "xy");
            case 5 -> Value.NULL;
            case 6 -> new Value.Decimal(Decimal128.parse(random.nextBoolean() ? "1.5" : "NaN"));
            case 7 -> random.nextBoolean() ? Value.of(random.nextBoolean()) : Value.of(Double.NaN);
            case 8, 9 -> Value.of(document(depth - 1));
            default -> array(depth - 1);
        };
    }

    public Value array(int depth) {
        var out = new BsonWriter();
        for (int i = random.nextInt(4); i > 0; i--) {
            out.add(value(depth));
        }
        return out.finishArray();
    }
}
