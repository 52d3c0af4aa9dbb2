package dev.semel.query.script;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** What a script returns, as BSON. A number is a double, unless it stands where the document had an equal 32-bit integer. */
final class FromScript {
    private static final int DEPTH_MAX = 150;

    private final Context context;

    FromScript(Context context) {
        this.context = context;
    }

    Value convert(@Nullable Object value) {
        return convert(value, null, 0);
    }

    private Value convert(@Nullable Object value, @Nullable Value before, int depth) {
        return switch (value) {
            case null -> Value.NULL;
            case Number number -> number(number.doubleValue(), before);
            case CharSequence text -> Value.of(text.toString());
            case Boolean bool -> Value.of(bool);
            case BsonObject bson -> bson.value();
            case Function function -> new Value.Code(Text.of(ScriptRuntime.toString(function)));
            case NativeArray array -> array(array, depth);
            case Scriptable object when Undefined.isUndefined(object) -> Value.UNDEFINED;
            case Scriptable object -> object(object, depth);
            default -> Undefined.isUndefined(value) ? Value.UNDEFINED : Value.of(ScriptRuntime.toString(value));
        };
    }

    private static Value number(double number, @Nullable Value before) {
        return before instanceof Value.Int32(int whole) && whole == number ? before : Value.of(number);
    }

    private Value object(Scriptable object, int depth) {
        return switch (object.getClassName()) {
            case "Date" -> date(object);
            case "RegExp" -> regex(object);
            case "String", "Number", "Boolean" -> convert(object.getDefaultValue(null), null, depth);
            default -> new Value.Doc(document(object, depth));
        };
    }

    private static Value date(Scriptable object) {
        double millis = ScriptRuntime.toNumber(object.getDefaultValue(ScriptRuntime.NumberClass));
        return new Value.Date(Double.isNaN(millis) ? Long.MIN_VALUE : (long) millis);
    }

    private static Value regex(Scriptable object) {
        String source = ScriptRuntime.toString(ScriptableObject.getProperty(object, "source"));
        String flags = ScriptRuntime.toString(ScriptableObject.getProperty(object, "flags"));
        StringBuilder options = new StringBuilder();
        for (char option : new char[] {'i', 'm', 's'}) {
            if (flags.indexOf(option) >= 0) {
                options.append(option);
            }
        }
        return new Value.Regex(source, options.toString());
    }

    private Value array(NativeArray array, int depth) {
        checkDepth(depth);
        RawDocument source = array instanceof DocumentArray known ? known.source() : null;
        var before = source == null ? null : source.cursor();
        BsonWriter writer = new BsonWriter(64);
        ScriptContext.allowance(context).checkElements(array.getLength());
        for (int i = 0; i < array.getLength(); i++) {
            Value original = before != null && before.next() ? before.value() : null;
            Object element = array.get(i, array);
            writer.add(convert(element == Scriptable.NOT_FOUND ? Undefined.instance : element, original, depth + 1));
            checkSize(writer);
        }
        return writer.finishArray();
    }

    RawDocument document(Scriptable object, int depth) {
        checkDepth(depth);
        RawDocument source = object instanceof DocumentObject known ? known.source() : null;
        BsonWriter writer = new BsonWriter(64);
        for (Object id : object.getIds()) {
            Object value = id instanceof Integer index ? object.get(index, object) : get(object, id);
            String name = id.toString();
            checkName(name);
            Value original = source == null ? null : source.get(name);
            writer.put(name, convert(value, original, depth + 1));
            checkSize(writer);
        }
        return writer.finish();
    }

    private static Object get(Scriptable object, Object id) {
        return object.get(id.toString(), object);
    }

    private static void checkName(String name) {
        if (name.indexOf('\0') >= 0) {
            throw new ScriptStopped(
                    new CommandException(ErrorCode.BadValue, "key names in bson must not contain embedded null bytes"));
        }
    }

    private static void checkDepth(int depth) {
        if (depth > DEPTH_MAX) {
            throw new ScriptStopped(new CommandException(
                    ErrorCode.location(17279),
                    "Exceeded depth limit of %d when converting js object to BSON. Do you have a cycle?",
                    DEPTH_MAX));
        }
    }

    // Objects that contain an object twice are written twice.
    private void checkSize(BsonWriter writer) {
        ((ScriptContext) context).countBuiltInCall();
        if (writer.length() > Limits.DOCUMENT_BYTES_MAX) {
            throw new ScriptStopped(new CommandException(
                    ErrorCode.BSONObjectTooLarge,
                    "What a JavaScript function returns exceeds %d bytes",
                    Limits.DOCUMENT_BYTES_MAX));
        }
    }
}
