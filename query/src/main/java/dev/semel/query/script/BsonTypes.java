package dev.semel.query.script;

import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** The constructors and methods of BSON's types, with the names of MongoDB's shell: {@code ObjectId}, {@code NumberLong} ... */
final class BsonTypes {
    private enum Kind {
        OBJECT_ID("ObjectId"),
        NUMBER_LONG("NumberLong"),
        NUMBER_INT("NumberInt"),
        NUMBER_DECIMAL("NumberDecimal"),
        TIMESTAMP("Timestamp"),
        BIN_DATA("BinData"),
        MIN_KEY("MinKey"),
        MAX_KEY("MaxKey"),
        DB_POINTER("DBPointer"),
        CODE("Code");

        private final String constructor;

        Kind(String constructor) {
            this.constructor = constructor;
        }
    }

    private final Supplier<ObjectId> ids;
    private final Map<Kind, Scriptable> prototypes = new EnumMap<>(Kind.class);

    BsonTypes(ScriptableObject scope, Supplier<ObjectId> ids) {
        this.ids = ids;
        define(scope, Kind.OBJECT_ID, this::objectId);
        define(scope, Kind.NUMBER_LONG, BsonTypes::numberLong);
        define(scope, Kind.NUMBER_INT, arguments -> new Value.Int32(ScriptRuntime.toInt32(number(arguments))));
        define(scope, Kind.NUMBER_DECIMAL, BsonTypes::numberDecimal);
        define(scope, Kind.TIMESTAMP, arguments -> new Value.Timestamp(whole(arguments, 0), whole(arguments, 1)));
        define(scope, Kind.BIN_DATA, BsonTypes::binData);
        define(scope, Kind.MIN_KEY, arguments -> Value.MIN_KEY);
        define(scope, Kind.MAX_KEY, arguments -> Value.MAX_KEY);
        define(scope, Kind.DB_POINTER, BsonTypes::dbPointer);
        define(scope, Kind.CODE, arguments -> new Value.Code(Text.of(string(arguments, 0))));
        function(scope, "UUID", 1, arguments -> uuid(string(arguments, 0)));
        function(scope, "MD5", 1, arguments -> new Value.Binary((byte) 5, hex(string(arguments, 0))));
        function(
                scope,
                "HexData",
                2,
                arguments -> new Value.Binary((byte) whole(arguments, 0), hex(string(arguments, 1))));
    }

    /** What a script gets for a value that is none of JavaScript's. */
    BsonObject wrap(Scriptable scope, Value value) {
        Scriptable prototype = prototypes.get(kind(value));
        if (prototype == null) {
            throw new IllegalStateException("no constructor for " + value.type());
        }
        return new BsonObject(scope, prototype, value);
    }

    private static Kind kind(Value value) {
        return switch (value) {
            case Value.Oid ignored -> Kind.OBJECT_ID;
            case Value.Int64 ignored -> Kind.NUMBER_LONG;
            case Value.Int32 ignored -> Kind.NUMBER_INT;
            case Value.Decimal ignored -> Kind.NUMBER_DECIMAL;
            case Value.Timestamp ignored -> Kind.TIMESTAMP;
            case Value.Binary ignored -> Kind.BIN_DATA;
            case Value.DbPointer ignored -> Kind.DB_POINTER;
            case Value.Code ignored -> Kind.CODE;
            case Value.CodeWithScope ignored -> Kind.CODE;
            case Value.Constant constant when constant == Value.MIN_KEY -> Kind.MIN_KEY;
            case Value.Constant constant when constant == Value.MAX_KEY -> Kind.MAX_KEY;
            default -> throw new IllegalStateException("JavaScript has " + value.type());
        };
    }

    // ---- constructors

    private void define(ScriptableObject scope, Kind kind, Function<Object[], Value> create) {
        LambdaConstructor constructor = new LambdaConstructor(
                scope,
                kind.constructor,
                1,
                LambdaConstructor.CONSTRUCTOR_FUNCTION | LambdaConstructor.CONSTRUCTOR_NEW,
                (Context context, Scriptable callers, Object[] arguments) ->
                        new BsonObject(checked(() -> create.apply(arguments))));
        methods(constructor, scope, kind);
        ScriptableObject.defineProperty(scope, kind.constructor, constructor, ScriptableObject.DONTENUM);
        prototypes.put(kind, (Scriptable) constructor.getPrototypeProperty());
    }

    private void function(ScriptableObject scope, String name, int length, Function<Object[], Value> create) {
        var function = new org.mozilla.javascript.LambdaFunction(
                scope,
                name,
                length,
                (Context context, Scriptable callers, Scriptable self, Object[] arguments) ->
                        wrap(callers, checked(() -> create.apply(arguments))));
        ScriptableObject.defineProperty(scope, name, function, ScriptableObject.DONTENUM);
    }

    /** What Java's parsers refuse is an error of the script. */
    private static Value checked(Supplier<Value> create) {
        try {
            return create.get();
        } catch (IllegalArgumentException e) {
            throw ScriptRuntime.typeError(String.valueOf(e.getMessage()));
        }
    }

    private Value objectId(Object[] arguments) {
        return switch (argument(arguments, 0)) {
            case BsonObject bson when bson.value() instanceof Value.Oid -> bson.value();
            case Object given when Undefined.isUndefined(given) -> Value.of(ids.get());
            case Object given -> Value.of(ObjectId.parse(ScriptRuntime.toString(given)));
        };
    }

    private static Value numberLong(Object[] arguments) {
        return switch (argument(arguments, 0)) {
            case Object given when Undefined.isUndefined(given) -> Value.of(0L);
            case CharSequence text -> Value.of(Long.parseLong(text.toString()));
            case BsonObject bson when bson.value() instanceof Value.Int64 -> bson.value();
            case Object given -> Value.of((long) ScriptRuntime.toNumber(given));
        };
    }

    private static Value numberDecimal(Object[] arguments) {
        return switch (argument(arguments, 0)) {
            case Object given when Undefined.isUndefined(given) -> new Value.Decimal(Decimal128.ZERO);
            case BsonObject bson when bson.value() instanceof Value.Decimal -> bson.value();
            case Object given -> new Value.Decimal(Decimal128.parse(ScriptRuntime.toString(given)));
        };
    }

    private static Value binData(Object[] arguments) {
        return new Value.Binary((byte) whole(arguments, 0), Base64.getDecoder().decode(string(arguments, 1)));
    }

    private static Value dbPointer(Object[] arguments) {
        if (argument(arguments, 1) instanceof BsonObject bson && bson.value() instanceof Value.Oid(ObjectId id)) {
            return new Value.DbPointer(Text.of(string(arguments, 0)), id);
        }
        throw new IllegalArgumentException("DBPointer needs an ObjectId");
    }

    private static Value uuid(String text) {
        UUID uuid = UUID.fromString(text);
        byte[] bytes = java.nio.ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        return new Value.Binary((byte) 4, bytes);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static Object argument(Object[] arguments, int index) {
        Object given = index < arguments.length ? arguments[index] : null;
        return given == null ? Undefined.instance : given;
    }

    private static String string(Object[] arguments, int index) {
        return ScriptRuntime.toString(argument(arguments, index));
    }

    private static double number(Object[] arguments) {
        return arguments.length == 0 ? 0 : ScriptRuntime.toNumber(arguments[0]);
    }

    private static int whole(Object[] arguments, int index) {
        Object given = argument(arguments, index);
        return Undefined.isUndefined(given) ? 0 : (int) ScriptRuntime.toUint32(given);
    }

    // ---- methods

    private void methods(LambdaConstructor type, ScriptableObject scope, Kind kind) {
        method(
                type,
                scope,
                "toString",
                value -> value instanceof Value.Code(Text code) ? code.toString() : Shell.whole(value));
        method(type, scope, "toJSON", BsonTypes::json);
        type.definePrototypeMethod(
                scope,
                "equals",
                1,
                (context, callers, self, arguments) -> argument(arguments, 0) instanceof BsonObject other
                        && other.value().equals(value(self)));
        switch (kind) {
            case OBJECT_ID -> {
                method(type, scope, "valueOf", value -> ((Value.Oid) value).id().toString());
                property(type, "str", value -> ((Value.Oid) value).id().toString());
                type.definePrototypeMethod(
                        scope,
                        "getTimestamp",
                        0,
                        (context, callers, self, arguments) -> context.newObject(callers, "Date", new Object[] {
                            1000.0
                                    * Integer.toUnsignedLong(
                                            ((Value.Oid) value(self)).id().seconds())
                        }));
            }
            case NUMBER_LONG, NUMBER_INT, NUMBER_DECIMAL -> {
                method(type, scope, "valueOf", BsonTypes::toNumber);
                method(type, scope, "toNumber", BsonTypes::toNumber);
            }
            case TIMESTAMP -> {
                property(type, "t", value -> seconds(value));
                property(type, "i", value -> increment(value));
                method(type, scope, "getTime", BsonTypes::seconds);
                method(type, scope, "getInc", BsonTypes::increment);
            }
            case BIN_DATA -> {
                property(type, "type", value -> ((Value.Binary) value).subtype() & 0xFF);
                property(type, "len", value -> ((Value.Binary) value).bytes().length);
                method(type, scope, "subtype", value -> ((Value.Binary) value).subtype() & 0xFF);
                method(type, scope, "length", value -> ((Value.Binary) value).bytes().length);
                method(
                        type,
                        scope,
                        "base64",
                        value -> Base64.getEncoder().encodeToString(((Value.Binary) value).bytes()));
                method(type, scope, "hex", value -> HexFormat.of().formatHex(((Value.Binary) value).bytes()));
            }
            case MIN_KEY, MAX_KEY, DB_POINTER, CODE -> {}
        }
    }

    private static void method(
            LambdaConstructor type, ScriptableObject scope, String name, Function<Value, @Nullable Object> answer) {
        type.definePrototypeMethod(
                scope,
                name,
                0,
                (Context context, Scriptable callers, Scriptable self, Object[] arguments) ->
                        answer.apply(value(self)));
    }

    private static void property(LambdaConstructor type, String name, Function<Value, Object> answer) {
        type.definePrototypeProperty(
                Context.getCurrentContext(), name, (Scriptable self) -> answer.apply(value(self)), 0);
    }

    private static Value value(Object self) {
        if (self instanceof BsonObject bson) {
            return bson.value();
        }
        throw ScriptRuntime.typeError("a method of a BSON type was called on something else");
    }

    private static Object toNumber(Value value) {
        return switch (value) {
            case Value.Int64(long number) -> (double) number;
            case Value.Int32(int number) -> (double) number;
            case Value.Decimal(Decimal128 number) -> number.doubleValue();
            default -> Double.NaN;
        };
    }

    private static Object seconds(Value value) {
        return (double) Integer.toUnsignedLong(((Value.Timestamp) value).seconds());
    }

    private static Object increment(Value value) {
        return (double) Integer.toUnsignedLong(((Value.Timestamp) value).increment());
    }

    private static Object json(Value value) {
        return switch (value) {
            case Value.Int64 ignored -> toNumber(value);
            case Value.Int32 ignored -> toNumber(value);
            case Value.Oid(ObjectId id) -> id.toString();
            case Value.Decimal(Decimal128 number) -> number.toString();
            default -> Shell.whole(value);
        };
    }
}
