package dev.semel.wire.bson;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The types of BSON: the byte before each element, and the alias by which {@code $type} and messages call it. */
public enum BsonType {
    DOUBLE(0x01, "double"),
    STRING(0x02, "string"),
    DOCUMENT(0x03, "object"),
    ARRAY(0x04, "array"),
    BINARY(0x05, "binData"),
    UNDEFINED(0x06, "undefined"),
    OBJECT_ID(0x07, "objectId"),
    BOOLEAN(0x08, "bool"),
    DATE(0x09, "date"),
    NULL(0x0A, "null"),
    REGEX(0x0B, "regex"),
    DB_POINTER(0x0C, "dbPointer"),
    CODE(0x0D, "javascript"),
    SYMBOL(0x0E, "symbol"),
    CODE_WITH_SCOPE(0x0F, "javascriptWithScope"),
    INT32(0x10, "int"),
    TIMESTAMP(0x11, "timestamp"),
    INT64(0x12, "long"),
    DECIMAL128(0x13, "decimal"),
    MIN_KEY(0xFF, "minKey"),
    MAX_KEY(0x7F, "maxKey");

    private static final @Nullable BsonType[] BY_CODE = new @Nullable BsonType[256];

    static {
        for (BsonType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final String alias;

    BsonType(int code, String alias) {
        this.code = code;
        this.alias = alias;
    }

    /** The type byte, 0 to 255. */
    public int code() {
        return code;
    }

    public String alias() {
        return alias;
    }

    public boolean isNumber() {
        return this == INT32 || this == DOUBLE || this == INT64 || this == DECIMAL128;
    }

    /** The type of a byte read from a document; a byte that is none of them is {@link ErrorCode#InvalidBSON}. */
    public static BsonType of(byte code) {
        BsonType type = BY_CODE[code & 0xFF];
        if (type == null) {
            throw new CommandException(ErrorCode.InvalidBSON, "Unrecognized BSON type 0x%02x", code & 0xFF);
        }
        return type;
    }

    @Override
    public String toString() {
        return alias;
    }
}
