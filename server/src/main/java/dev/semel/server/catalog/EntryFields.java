package dev.semel.server.catalog;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.store.key.KeyDecoder;
import dev.semel.store.key.KeyReader;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an entry holds beside its key, so that the indexed fields can be made of it as they are stored, without the document:
 * a key knows neither the type of a number, nor a missing field from null, nor the order of the fields. Mostly it is one byte.
 *
 * <p>The first byte says whether the fields stand in the document in the order of the columns; if not, one byte per column
 * follows with their order. Then comes a code for each column; what is left out at the end is {@link #AS_DECODED}. An entry
 * without all this, as those are of documents with arrays and those that older versions have written, says nothing.
 */
final class EntryFields {
    private static final byte IN_ORDER = 1;
    private static final byte REORDERED = 2;

    /** The key does not say what the value is. */
    private static final byte UNKNOWN = 0;

    /** The value is what {@link KeyDecoder} makes of the key. */
    private static final byte AS_DECODED = 1;

    private static final byte MISSING = 2;
    private static final byte INT64 = 3;
    private static final byte DOUBLE = 4;
    private static final byte NEGATIVE_ZERO = 5;

    /** Followed by the exponent in two bytes: 2.5 is not 2.50. */
    private static final byte DECIMAL = 6;

    private static final byte[] PLAIN = {IN_ORDER};
    private static final long CANONICAL_NAN = Double.doubleToRawLongBits(Double.NaN);
    private static final double TWO_TO_63 = 0x1p63;

    private EntryFields() {}

    /** Of the entry of a document without arrays on the index's paths. */
    static byte[] of(Index index, RawDocument document, @Nullable Value[] values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1);
        int[] order = order(index.paths(), document);
        if (order.length == 0) {
            out.write(IN_ORDER);
        } else {
            out.write(REORDERED);
            Arrays.stream(order).forEach(out::write);
        }
        int end = values.length;
        while (end > 0 && codeOf(index, end - 1, values[end - 1]) == AS_DECODED) {
            end--;
        }
        for (int i = 0; i < end; i++) {
            byte code = codeOf(index, i, values[i]);
            out.write(code);
            if (code == DECIMAL && values[i] instanceof Value.Decimal(Decimal128 number)) {
                int exponent = -number.toBigDecimal().scale();
                out.write(exponent >> 8);
                out.write(exponent);
            }
        }
        return out.size() == 1 && order.length == 0 ? PLAIN : out.toByteArray();
    }

    /** The columns in the order of their fields in the document; empty if that is the order of the columns. */
    private static int[] order(List<DottedPath> paths, RawDocument document) {
        long[] places = new long[paths.size()];
        boolean ordered = true;
        for (int i = 0; i < places.length; i++) {
            int found = document.find(paths.get(i).partUtf8(0));
            places[i] = found < 0 ? (i == 0 ? 0 : places[i - 1]) : (long) found << 32;
            ordered &= i == 0 || places[i] >= places[i - 1];
        }
        if (ordered) {
            return new int[0];
        }
        for (int i = 0; i < places.length; i++) {
            places[i] |= i;
        }
        return Arrays.stream(places).sorted().mapToInt(each -> (int) each).toArray();
    }

    private static byte codeOf(Index index, int column, @Nullable Value value) {
        if (!canShow(index, column)) {
            return AS_DECODED;
        }
        return switch (value) {
            case null -> MISSING;
            case Value.Int64(long number) -> isNarrow(number) || number == Long.MIN_VALUE ? INT64 : AS_DECODED;
            case Value.Double64(double number) -> codeOf(number);
            case Value.Decimal(Decimal128 number) -> isMadeOfDigits(number) ? DECIMAL : UNKNOWN;
            default -> isAsDecoded(value) ? AS_DECODED : UNKNOWN;
        };
    }

    private static byte codeOf(double number) {
        if (number == 0) {
            return Double.doubleToRawLongBits(number) == 0 ? DOUBLE : NEGATIVE_ZERO;
        }
        if (Double.isNaN(number)) {
            return Double.doubleToRawLongBits(number) == CANONICAL_NAN ? AS_DECODED : UNKNOWN;
        }
        return number == Math.rint(number) && Math.abs(number) < TWO_TO_63 ? DOUBLE : AS_DECODED;
    }

    private static boolean isNarrow(long number) {
        return number == (int) number;
    }

    /** Not so negative zeros, and what is no number. */
    private static boolean isMadeOfDigits(Decimal128 number) {
        return number.isFinite() && Decimal128.of(number.toBigDecimal()).equals(number);
    }

    private static boolean isAsDecoded(Value value) {
        return switch (value) {
            case Value.Int64(long number) -> !isNarrow(number) && number != Long.MIN_VALUE;
            case Value.Double64(double number) -> codeOf(number) == AS_DECODED;
            case Value.Decimal ignored -> false;
            case Value.Symbol ignored -> false;
            case Value.Doc(RawDocument fields) -> areAsDecoded(fields);
            case Value.Array(RawDocument elements) -> areAsDecoded(elements);
            case Value.CodeWithScope(var source, RawDocument scope) -> areAsDecoded(scope);
            default -> true;
        };
    }

    private static boolean areAsDecoded(RawDocument fields) {
        for (ElementCursor at = fields.cursor(); at.next(); ) {
            if (!isAsDecoded(at.value())) {
                return false;
            }
        }
        return true;
    }

    /** Whether entries of the index hold anything of this kind. */
    static boolean areKept(Index index) {
        if (index.kind() != IndexKind.ORDERED
                || index.hasDocuments()
                || !index.collation().isSimple()) {
            return false;
        }
        for (int column = 0; column < index.columns().size(); column++) {
            if (canShow(index, column)) {
                return true;
            }
        }
        return false;
    }

    /** What lies around a field inside another one is not known. */
    static boolean canShow(Index index, int column) {
        return index.paths().get(column).size() == 1;
    }

    /**
     * The fields of some columns as the document has them; null if the entry does not say.
     *
     * @param wanted per column
     */
    static @Nullable RawDocument read(Index index, byte[] key, byte[] held, boolean[] wanted) {
        if (held.length == 0 || held[0] > REORDERED) {
            return null;
        }
        @Nullable Value[] values = new @Nullable Value[wanted.length];
        boolean reordered = held[0] == REORDERED;
        int at = reordered ? 1 + wanted.length : 1;
        int keyAt = EntryFormat.NUMBER_BYTES;
        for (int column = 0; column < wanted.length; column++) {
            boolean descending = index.descending()[column];
            byte code = at < held.length ? held[at++] : AS_DECODED;
            int exponent = 0;
            if (code == DECIMAL) {
                exponent = held[at] << 8 | (held[at + 1] & 0xFF);
                at += 2;
            }
            if (wanted[column] && code != MISSING) {
                Value decoded = code == UNKNOWN ? null : new KeyDecoder(key, keyAt).next(descending);
                if (decoded == null) {
                    return null;
                }
                values[column] = typed(decoded, code, exponent);
            }
            keyAt = KeyReader.end(key, keyAt, descending);
        }
        BsonWriter out = new BsonWriter(64);
        for (int i = 0; i < wanted.length; i++) {
            int column = reordered ? held[1 + i] : i;
            Value value = values[column];
            if (value != null) {
                out.put(index.paths().get(column).first(), value);
            }
        }
        return out.finish();
    }

    private static Value typed(Value decoded, byte code, int exponent) {
        return switch (code) {
            case INT64 -> Value.of(Numbers.exactLong(decoded).orElseThrow());
            case DOUBLE -> new Value.Double64(Numbers.doubleOf(decoded));
            case NEGATIVE_ZERO -> new Value.Double64(-0.0);
            case DECIMAL -> new Value.Decimal(Decimal128.of(exact(decoded).setScale(-exponent)));
            default -> decoded;
        };
    }

    private static BigDecimal exact(Value decoded) {
        return switch (decoded) {
            case Value.Double64(double number) -> new BigDecimal(number);
            case Value.Decimal(Decimal128 number) -> number.toBigDecimal();
            default -> BigDecimal.valueOf(Numbers.exactLong(decoded).orElseThrow());
        };
    }
}
