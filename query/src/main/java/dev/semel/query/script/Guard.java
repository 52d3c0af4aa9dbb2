package dev.semel.query.script;

import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** Decides before a built-in function runs whether that is too much work, and counts in advance what it will allocate. */
@FunctionalInterface
interface Guard {
    /** Of any object; a length beyond is taken for this. */
    long LENGTH_MAX = 1L << 53;

    /** The arguments to call the function with: those given, or what they were converted to for the check. */
    Object[] check(Use use, Object[] arguments);

    /** A call of a built-in function. */
    record Use(Context context, Scriptable scope, @Nullable Scriptable self, Allowance allowance) {
        /** The length of the string or array that the function belongs to. */
        long selfLength() {
            return length(self);
        }

        /** How many elements or characters a function would look at. */
        long length(@Nullable Object value) {
            return switch (value) {
                case CharSequence text -> text.length();
                case NativeArray array -> array.getLength();
                case org.mozilla.javascript.Function ignored -> 0;
                // Its length is its own and stays.
                case Scriptable object
                when object.getClassName().equals("String") ->
                    object.get("length", object) instanceof Number number ? number.longValue() : 0;
                case Scriptable object -> lengthProperty(object);
                case null, default -> 0;
            };
        }

        // A getter, or an object that converts itself, could answer something else when the function asks.
        private static long lengthProperty(Scriptable object) {
            for (Scriptable at = object; at != null; at = at.getPrototype()) {
                if (at instanceof ScriptableObject known
                        && known.getGetterOrSetter("length", 0, known, false) instanceof org.mozilla.javascript.Callable
                        && !(at instanceof NativeArray)) {
                    throw ScriptRuntime.typeError("a length with a getter is not supported here");
                }
            }
            Object length = ScriptableObject.getProperty(object, "length");
            return switch (length) {
                case Number number -> (long) Math.clamp(number.doubleValue(), 0, LENGTH_MAX);
                case CharSequence text -> (long) Math.clamp(ScriptRuntime.toNumber(text), 0, LENGTH_MAX);
                case Boolean ignored -> 1;
                case Scriptable ignored
                when length != Scriptable.NOT_FOUND && !Undefined.isUndefined(length) ->
                    throw ScriptRuntime.typeError("a length that is an object is not supported here");
                case null, default -> 0;
            };
        }
    }

    /** Bounds the elements that are looked at; enough for most functions. */
    static Object[] elements(Use use, Object[] arguments) {
        long own = use.selfLength();
        long elements = isText(use.self()) ? 0 : own;
        use.allowance().checkElements(elements);
        for (Object argument : arguments) {
            elements += isText(argument) ? 0 : use.length(argument);
            use.allowance().checkElements(elements);
        }
        ((ScriptContext) use.context()).countBuiltInWork(Math.max(own, elements));
        use.allowance().charge(Allowance.ELEMENT_BYTES * arguments.length);
        return arguments;
    }

    /** The characters of a string are bounded already, and cost little. */
    private static boolean isText(@Nullable Object value) {
        return value instanceof CharSequence
                || (value instanceof Scriptable object && object.getClassName().equals("String"));
    }
}
