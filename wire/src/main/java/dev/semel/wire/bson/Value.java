package dev.semel.wire.bson;

import java.util.Arrays;

/**
 * One BSON value. Documents, arrays and strings are views into the bytes they came from; nothing below them is decoded.
 *
 * <p>{@code equals} is identity of type and bytes, not MongoDB's equality: {@code 1} and {@code 1.0} differ here. What
 * MongoDB considers equal is a matter of comparison, which is part of the query language.
 */
public sealed interface Value {
    BsonType type();

    record Double64(double value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.DOUBLE;
        }
    }

    record Str(Text text) implements Value {
        @Override
        public BsonType type() {
            return BsonType.STRING;
        }
    }

    record Doc(RawDocument document) implements Value {
        @Override
        public BsonType type() {
            return BsonType.DOCUMENT;
        }
    }

    /** An array is a document whose names are the decimal indexes; readers go by order and ignore the names. */
    record Array(RawDocument elements) implements Value {
        @Override
        public BsonType type() {
            return BsonType.ARRAY;
        }
    }

    record Binary(byte subtype, byte[] bytes) implements Value {
        @Override
        public BsonType type() {
            return BsonType.BINARY;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Binary that && subtype == that.subtype && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return 31 * subtype + Arrays.hashCode(bytes);
        }
    }

    record Oid(ObjectId id) implements Value {
        @Override
        public BsonType type() {
            return BsonType.OBJECT_ID;
        }
    }

    record Bool(boolean value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.BOOLEAN;
        }
    }

    /** Milliseconds since 1970, UTC. */
    record Date(long millis) implements Value {
        @Override
        public BsonType type() {
            return BsonType.DATE;
        }
    }

    /** Options are in alphabetical order, as BSON demands. */
    record Regex(String pattern, String options) implements Value {
        @Override
        public BsonType type() {
            return BsonType.REGEX;
        }
    }

    record DbPointer(Text namespace, ObjectId id) implements Value {
        @Override
        public BsonType type() {
            return BsonType.DB_POINTER;
        }
    }

    record Code(Text source) implements Value {
        @Override
        public BsonType type() {
            return BsonType.CODE;
        }
    }

    record Symbol(Text text) implements Value {
        @Override
        public BsonType type() {
            return BsonType.SYMBOL;
        }
    }

    record CodeWithScope(Text source, RawDocument scope) implements Value {
        @Override
        public BsonType type() {
            return BsonType.CODE_WITH_SCOPE;
        }
    }

    record Int32(int value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.INT32;
        }
    }

    record Int64(long value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.INT64;
        }
    }

    /** MongoDB's internal timestamp: seconds in the upper half, a counter in the lower, compared unsigned. */
    record Timestamp(long value) implements Value {
        public Timestamp(int seconds, int increment) {
            this(((long) seconds << 32) | (increment & 0xFFFF_FFFFL));
        }

        public int seconds() {
            return (int) (value >>> 32);
        }

        public int increment() {
            return (int) value;
        }

        @Override
        public BsonType type() {
            return BsonType.TIMESTAMP;
        }
    }

    record Decimal(Decimal128 value) implements Value {
        @Override
        public BsonType type() {
            return BsonType.DECIMAL128;
        }
    }

    /** The types that have but one value. */
    enum Constant implements Value {
        UNDEFINED(BsonType.UNDEFINED),
        NULL(BsonType.NULL),
        MIN_KEY(BsonType.MIN_KEY),
        MAX_KEY(BsonType.MAX_KEY);

        private final BsonType type;

        Constant(BsonType type) {
            this.type = type;
        }

        @Override
        public BsonType type() {
            return type;
        }
    }

    Value UNDEFINED = Constant.UNDEFINED;
    Value NULL = Constant.NULL;
    Value MIN_KEY = Constant.MIN_KEY;
    Value MAX_KEY = Constant.MAX_KEY;
    Bool TRUE = new Bool(true);
    Bool FALSE = new Bool(false);

    static Value of(String string) {
        return new Str(Text.of(string));
    }

    static Value of(int value) {
        return new Int32(value);
    }

    static Value of(long value) {
        return new Int64(value);
    }

    static Value of(double value) {
        return new Double64(value);
    }

    static Bool of(boolean value) {
        return value ? TRUE : FALSE;
    }

    static Value of(RawDocument document) {
        return new Doc(document);
    }

    static Value of(ObjectId id) {
        return new Oid(id);
    }
}
