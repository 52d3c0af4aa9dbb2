package dev.semel.server.catalog;

import dev.semel.query.geo.CellSpace;
import dev.semel.query.geo.PlaneCells;
import dev.semel.query.geo.SphereCells;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** The options of indexes on shapes. Other indexes have them without effect. */
final class GeoOptions {
    private static final String VERSION = "2dsphereIndexVersion";
    private static final int VERSION_MAX = 3;
    private static final int LEVEL_MAX = 30;

    private GeoOptions() {}

    /** The options as they are shown: an index on the sphere says its version. */
    static RawDocument complete(KeyPattern key, RawDocument shown) {
        return key.kind() != IndexKind.SPHERE || shown.has(VERSION)
                ? shown
                : new BsonWriter().copyAll(shown).put(VERSION, VERSION_MAX).finish();
    }

    static CellSpace cells(IndexKind kind, RawDocument options) {
        return switch (kind) {
            case SPHERE -> sphere(options);
            case PLANE -> plane(options);
            case ORDERED, HASHED, WILDCARD, TEXT -> throw new IllegalArgumentException("no index on shapes");
        };
    }

    private static CellSpace sphere(RawDocument options) {
        long coarsest = level(options, "coarsestIndexedLevel", 0);
        long finest = level(options, "finestIndexedLevel", LEVEL_MAX);
        if (coarsest < 0) {
            throw new CommandException(ErrorCode.location(16747), "coarsestIndexedLevel must be >= 0");
        }
        if (finest > LEVEL_MAX) {
            throw new CommandException(ErrorCode.location(16748), "finestIndexedLevel must be <= 30");
        }
        if (finest < coarsest) {
            throw new CommandException(ErrorCode.location(16749), "finestIndexedLevel must be >= coarsestIndexedLevel");
        }
        return new SphereCells(version(options.get(VERSION)));
    }

    private static long level(RawDocument options, String name, long otherwise) {
        Value value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        return Numbers.exactLong(value)
                .orElseThrow(() -> new CommandException(
                        ErrorCode.TypeMismatch,
                        "Expected field \"%s\" to have a value exactly representable as a 64-bit integer, but found"
                                + " %s: %s",
                        name,
                        name,
                        Shell.text(value)));
    }

    private static int version(@Nullable Value value) {
        if (value == null) {
            return VERSION_MAX;
        }
        if (!Numbers.isNumber(value)) {
            throw wrongVersion("Invalid type for geo index version", value);
        }
        double number = Numbers.doubleOf(value);
        if (!Double.isFinite(number)) {
            throw wrongVersion("Invalid value for geo index version", value);
        }
        int version = (int) number;
        if (version < 1 || version > VERSION_MAX) {
            throw wrongVersion("unsupported geo index version", value);
        }
        return version;
    }

    private static CommandException wrongVersion(String problem, Value value) {
        return new CommandException(
                ErrorCode.CannotCreateIndex,
                "%s { %s : %s }, only support versions: [1,2,3]",
                problem,
                VERSION,
                text(new Element(VERSION, value)));
    }

    private static String text(Element element) {
        return element.name() + ": " + Shell.text(element.value());
    }

    private static CellSpace plane(RawDocument options) {
        int bits = (int) number(options, "bits", PlaneCells.BITS_DEFAULT);
        double min = number(options, "min", -PlaneCells.LIMIT_DEFAULT);
        double max = number(options, "max", PlaneCells.LIMIT_DEFAULT);
        if (bits < 1 || bits > PlaneCells.BITS_MAX) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "bits for hash must be > 0 and <= 32, but %d bits were specified", bits);
        }
        if (!(min < max) || !Double.isFinite(max - min)) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "region for hash must be valid and have positive area, but [%s, %s] was specified",
                    min,
                    max);
        }
        return new PlaneCells(bits, min, max);
    }

    private static double number(RawDocument options, String name, double otherwise) {
        Value value = options.get(name);
        if (value == null) {
            return otherwise;
        }
        if (!Numbers.isNumber(value)) {
            throw new CommandException(
                    ErrorCode.TypeMismatch, "The field '%s' must be a number, but got %s", name, value.type());
        }
        return Numbers.doubleOf(value);
    }
}
