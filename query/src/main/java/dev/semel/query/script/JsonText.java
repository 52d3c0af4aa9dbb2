package dev.semel.query.script;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * {@code JSON.stringify}. Rhino's own does not stop: objects that contain an object twice, which contains another one twice, and
 * so on, are an exponential text.
 */
final class JsonText {
    private static final int INDENT_MAX = 10;
    private static final int DEPTH_MAX = 1_000;

    private final ScriptContext context;
    private final Scriptable scope;
    private final Allowance allowance;
    private final StringBuilder text = new StringBuilder();
    private @Nullable Callable replacer;
    private @Nullable List<String> names;
    private String indent = "";
    private int counted;

    JsonText(Context context, Scriptable scope) {
        this.context = (ScriptContext) context;
        this.scope = scope;
        this.allowance = this.context.call().allowance();
    }

    Object of(Object[] arguments) {
        Object value = arguments.length > 0 ? arguments[0] : Undefined.instance;
        readReplacer(arguments.length > 1 ? arguments[1] : Undefined.instance);
        indent = indent(arguments.length > 2 ? arguments[2] : Undefined.instance);
        Scriptable holder = context.newObject(scope);
        holder.put("", holder, value);
        return write(holder, "", value, 0) ? text.toString() : Undefined.instance;
    }

    private void readReplacer(Object given) {
        if (given instanceof NativeArray array) {
            List<String> listed = new ArrayList<>();
            allowance.checkElements(array.getLength());
            for (int i = 0; i < array.getLength(); i++) {
                listed.add(ScriptRuntime.toString(array.get(i, array)));
            }
            names = listed;
        } else if (given instanceof Callable callable) {
            replacer = callable;
        }
    }

    private static String indent(@Nullable Object given) {
        return switch (given) {
            case Number number -> " ".repeat((int) Math.clamp(number.doubleValue(), 0, INDENT_MAX));
            case CharSequence prefix -> prefix.toString().substring(0, Math.min(INDENT_MAX, prefix.length()));
            case null, default -> "";
        };
    }

    /** False, and nothing is written, for what JSON does not have. */
    private boolean write(Scriptable holder, String key, @Nullable Object given, int depth) {
        if (depth > DEPTH_MAX) {
            throw ScriptRuntime.typeError("JSON.stringify: the object is nested too deeply, or contains itself");
        }
        Object value = replaced(holder, key, given);
        switch (value) {
            case null -> text.append("null");
            case Boolean bool -> text.append(bool);
            case Number number -> append(number.doubleValue());
            case CharSequence string -> quote(string.toString());
            case Callable ignored -> {
                return false;
            }
            case NativeArray array -> array(array, depth);
            case Scriptable object when !Undefined.isUndefined(object) -> object(object, depth);
            default -> {
                return false;
            }
        }
        count();
        return true;
    }

    private @Nullable Object replaced(Scriptable holder, String key, @Nullable Object given) {
        Object value = given;
        if (value instanceof Scriptable object
                && ScriptableObject.getProperty(object, "toJSON") instanceof Callable toJson) {
            value = toJson.call(context, scope, object, new Object[] {key});
        }
        if (replacer != null) {
            value = replacer.call(context, scope, holder, new Object[] {key, value});
        }
        if (value instanceof Scriptable object && !(value instanceof Callable)) {
            return switch (object.getClassName()) {
                case "Number" -> ScriptRuntime.toNumber(value);
                case "String" -> ScriptRuntime.toString(value);
                case "Boolean" -> object.getDefaultValue(null);
                default -> value;
            };
        }
        return value;
    }

    private void append(double number) {
        text.append(Double.isFinite(number) ? ScriptRuntime.toString(number) : "null");
    }

    private void array(NativeArray array, int depth) {
        allowance.checkElements(array.getLength());
        text.append('[');
        for (int i = 0; i < array.getLength(); i++) {
            separate(i > 0, depth + 1);
            Object element = array.get(i, array);
            if (!write(array, Integer.toString(i), element, depth + 1)) {
                text.append("null");
            }
        }
        close(']', array.getLength() > 0, depth);
    }

    private void object(Scriptable object, int depth) {
        text.append('{');
        boolean hasMembers = false;
        Object[] ids = names == null ? object.getIds() : names.toArray();
        for (Object id : ids) {
            int before = text.length();
            separate(hasMembers, depth + 1);
            quote(id.toString());
            text.append(indent.isEmpty() ? ":" : ": ");
            Object member = id instanceof Integer index ? object.get(index, object) : object.get(id.toString(), object);
            if (member != Scriptable.NOT_FOUND && write(object, id.toString(), member, depth + 1)) {
                hasMembers = true;
            } else {
                text.setLength(before);
            }
        }
        close('}', hasMembers, depth);
    }

    private void separate(boolean isNext, int depth) {
        if (isNext) {
            text.append(',');
        }
        newLine(depth);
    }

    private void close(char bracket, boolean hasMembers, int depth) {
        if (hasMembers) {
            newLine(depth);
        }
        text.append(bracket);
    }

    private void newLine(int depth) {
        if (!indent.isEmpty()) {
            text.append('\n').repeat(indent, depth);
        }
    }

    private void quote(String string) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                case '\b' -> text.append("\\b");
                case '\f' -> text.append("\\f");
                default -> {
                    if (c < 0x20 || (Character.isSurrogate(c) && !isPaired(string, i))) {
                        text.append("\\u%04x".formatted((int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean isPaired(String string, int at) {
        return Character.isHighSurrogate(string.charAt(at))
                ? at + 1 < string.length() && Character.isLowSurrogate(string.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(string.charAt(at - 1));
    }

    private void count() {
        allowance.checkChars(text.length());
        if (text.length() > counted) {
            allowance.charge(2L * (text.length() - counted));
            counted = text.length();
        }
        ScriptStopped.unlessStopped(context.call().checkpoint());
    }
}
