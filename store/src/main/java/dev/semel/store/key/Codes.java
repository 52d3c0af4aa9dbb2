package dev.semel.store.key;

import dev.semel.wire.bson.BsonType;

/** The codes before the bodies; see the package for the form. */
final class Codes {
    static final int STRING = 0x48;
    static final int OBJECT = 0x50;
    static final int ARRAY = 0x58;
    static final int BINARY = 0x60;
    static final int OBJECT_ID = 0x68;
    static final int FALSE = 0x70;
    static final int TRUE = 0x71;
    static final int DATE = 0x78;
    static final int TIMESTAMP = 0x80;
    static final int REGEX = 0x88;
    static final int DB_POINTER = 0x90;
    static final int CODE = 0x98;
    static final int CODE_WITH_SCOPE = 0xA0;

    private Codes() {}

    /** The code of a kind of values in an object, by type byte; it is the lowest that such a value has. */
    static int kind(byte type) {
        return switch (BsonType.of(type)) {
            case MIN_KEY -> 0x10;
            case UNDEFINED -> 0x18;
            case NULL -> 0x20;
            case INT32, INT64, DOUBLE, DECIMAL128 -> NumberKeys.NAN;
            case STRING, SYMBOL -> STRING;
            case DOCUMENT -> OBJECT;
            case ARRAY -> ARRAY;
            case BINARY -> BINARY;
            case OBJECT_ID -> OBJECT_ID;
            case BOOLEAN -> FALSE;
            case DATE -> DATE;
            case TIMESTAMP -> TIMESTAMP;
            case REGEX -> REGEX;
            case DB_POINTER -> DB_POINTER;
            case CODE -> CODE;
            case CODE_WITH_SCOPE -> CODE_WITH_SCOPE;
            case MAX_KEY -> 0xF0;
        };
    }
}
