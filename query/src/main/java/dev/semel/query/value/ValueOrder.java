package dev.semel.query.value;

import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * BSON's total order over all values, missing ones included, with the equality and the hash that belong to it: {@code 1},
 * {@code 1.0} and decimal {@code 1} are one value here.
 *
 * <p>The kind is compared first: MinKey, undefined and missing, null, numbers, strings and symbols, objects, arrays, binary,
 * ObjectId, boolean, date, timestamp, regular expression, DBPointer, code, code with scope, MaxKey. Within a kind the value
 * is compared. Callers for which null and missing are equal, such as filters and sorts, have to say so.
 */
public final class ValueOrder {
    private static final byte[] KIND_BY_TYPE = new byte[256];
    private static final int KIND_MISSING = 1;

    static {
        BsonType[][] kinds = {
            {BsonType.MIN_KEY},
            {BsonType.UNDEFINED},
            {BsonType.NULL},
            {BsonType.INT32, BsonType.INT64, BsonType.DOUBLE, BsonType.DECIMAL128},
            {BsonType.STRING, BsonType.SYMBOL},
            {BsonType.DOCUMENT},
            {BsonType.ARRAY},
            {BsonType.BINARY},
            {BsonType.OBJECT_ID},
            {BsonType.BOOLEAN},
            {BsonType.DATE},
            {BsonType.TIMESTAMP},
            {BsonType.REGEX},
            {BsonType.DB_POINTER},
            {BsonType.CODE},
            {BsonType.CODE_WITH_SCOPE},
            {BsonType.MAX_KEY},
        };
        for (int kind = 0; kind < kinds.length; kind++) {
            for (BsonType type : kinds[kind]) {
                KIND_BY_TYPE[type.code()] = (byte) kind;
            }
        }
    }

    private ValueOrder() {}

    /** The position of a type in the order. Types of the same kind compare by value, all others by kind. */
    public static int kind(BsonType type) {
        return KIND_BY_TYPE[type.code()];
    }

    /** The same for a type byte as it stands in a document. */
    public static int kind(byte type) {
        return KIND_BY_TYPE[type & 0xFF];
    }

    /** The kind of a value that may be missing. */
    public static int kind(@Nullable Value value) {
        return value == null ? KIND_MISSING : kind(value.type());
    }

    public static boolean equal(@Nullable Value a, @Nullable Value b) {
        return compare(a, b) == 0;
    }

    public static int compare(@Nullable Value a, @Nullable Value b) {
        int byKind = kind(a) - kind(b);
        if (byKind != 0 || a == null || b == null) {
            return byKind;
        }
        return switch (a) {
            case Value.Int32 number -> Numbers.compare(number, b);
            case Value.Int64 number -> Numbers.compare(number, b);
            case Value.Double64 number -> Numbers.compare(number, b);
            case Value.Decimal number -> Numbers.compare(number, b);
            case Value.Str(Text text) -> text.compareTo(textOf(b));
            case Value.Symbol(Text text) -> text.compareTo(textOf(b));
            case Value.Doc(RawDocument document) -> compare(document, ((Value.Doc) b).document());
            case Value.Array(RawDocument elements) -> compareArrays(elements, ((Value.Array) b).elements());
            case Value.Binary binary -> compareBinary(binary, (Value.Binary) b);
            case Value.Oid(var id) -> id.compareTo(((Value.Oid) b).id());
            case Value.Bool(boolean bool) -> Boolean.compare(bool, ((Value.Bool) b).value());
            case Value.Date(long millis) -> Long.compare(millis, ((Value.Date) b).millis());
            case Value.Timestamp(long time) -> Long.compareUnsigned(time, ((Value.Timestamp) b).value());
            case Value.Regex regex -> compareRegex(regex, (Value.Regex) b);
            case Value.DbPointer pointer -> compareDbPointer(pointer, (Value.DbPointer) b);
            case Value.Code(Text source) -> source.compareTo(((Value.Code) b).source());
            case Value.CodeWithScope code -> compareCode(code, (Value.CodeWithScope) b);
            case Value.Constant ignored -> 0;
        };
    }

    /** Field by field: kind of value, then name, then value; a document that is the beginning of another is smaller. */
    public static int compare(RawDocument a, RawDocument b) {
        return RawOrder.compareDocuments(a.array(), a.offset(), b.array(), b.offset(), true);
    }

    /** Element by element, whatever their names. */
    public static int compareArrays(RawDocument a, RawDocument b) {
        return RawOrder.compareDocuments(a.array(), a.offset(), b.array(), b.offset(), false);
    }

    /** The values of two elements, without decoding either. */
    public static int compare(ElementCursor a, ElementCursor b) {
        return RawOrder.compare(
                a.array()[a.elementStart()],
                a.array(),
                a.valueStart(),
                b.array()[b.elementStart()],
                b.array(),
                b.valueStart());
    }

    /** Two values by type byte, array and offset, without decoding either. */
    public static int compare(byte typeA, byte[] a, int atA, byte typeB, byte[] b, int atB) {
        return RawOrder.compare(typeA, a, atA, typeB, b, atB);
    }

    /** A hash under which equal values agree. */
    public static int hash(@Nullable Value value) {
        if (value == null) {
            return KIND_MISSING;
        }
        int hash = switch (value) {
            case Value.Int32(int number) -> Long.hashCode(number);
            case Value.Int64(long number) -> Long.hashCode(number);
            case Value.Double64(double number) -> Numbers.hash(number);
            case Value.Decimal(var number) -> Numbers.hash(number);
            case Value.Doc(RawDocument document) -> RawOrder.hashDocument(document.array(), document.offset(), true);
            case Value.Array(RawDocument elements) -> RawOrder.hashDocument(elements.array(), elements.offset(), false);
            case Value.Str(Text text) -> text.hashCode();
            case Value.Symbol(Text text) -> text.hashCode();
            case Value.CodeWithScope(Text source, RawDocument scope) ->
                31 * source.hashCode() + RawOrder.hashDocument(scope.array(), scope.offset(), true);
            case Value.Constant ignored -> 0;
            default -> value.hashCode();
        };
        return 31 * hash + kind(value.type());
    }

    /** The same hash for a value by type byte, array and offset, without decoding it. */
    public static int hash(byte type, byte[] bytes, int at) {
        return RawOrder.hash(type, bytes, at);
    }

    private static Text textOf(Value value) {
        return value instanceof Value.Symbol(Text text) ? text : ((Value.Str) value).text();
    }

    private static int compareBinary(Value.Binary a, Value.Binary b) {
        int byLength = Integer.compare(a.bytes().length, b.bytes().length);
        if (byLength != 0) {
            return byLength;
        }
        int bySubtype = Byte.compareUnsigned(a.subtype(), b.subtype());
        return bySubtype != 0 ? bySubtype : Arrays.compareUnsigned(a.bytes(), b.bytes());
    }

    private static int compareRegex(Value.Regex a, Value.Regex b) {
        int byPattern = Text.of(a.pattern()).compareTo(Text.of(b.pattern()));
        return byPattern != 0 ? byPattern : Text.of(a.options()).compareTo(Text.of(b.options()));
    }

    private static int compareDbPointer(Value.DbPointer a, Value.DbPointer b) {
        int byLength = Integer.compare(a.namespace().length(), b.namespace().length());
        if (byLength != 0) {
            return byLength;
        }
        int byNamespace = a.namespace().compareTo(b.namespace());
        return byNamespace != 0 ? byNamespace : a.id().compareTo(b.id());
    }

    private static int compareCode(Value.CodeWithScope a, Value.CodeWithScope b) {
        int bySource = a.source().compareTo(b.source());
        return bySource != 0 ? bySource : compare(a.scope(), b.scope());
    }
}
