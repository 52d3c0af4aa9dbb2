package dev.semel.query.script;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.JSFunction;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;

/** Which guard each built-in function has: those whose results can be much larger than what they are given, by name. */
final class Guards {
    /** What splitting a string into parts takes for each character at most. */
    private static final long PART_BYTES = 64;

    private static final Map<String, Guard> OF_STRINGS = Map.of(
            "repeat", Guards::repeat,
            "padStart", Guards::pad,
            "padEnd", Guards::pad,
            "concat", Guards::concatenate,
            "replace", Guards::replace,
            "replaceAll", Guards::replace,
            "split", Guards::parts,
            "match", Guards::parts);

    private static final Map<String, Guard> OF_ARRAYS = Map.of(
            "join", Guards::join,
            "toString", Guards::join,
            "toLocaleString", Guards::join,
            "from", Guards::iterable,
            "flat", Guards::flat,
            "flatMap", Guards::mapping);

    private static final Map<String, Guard> OF_COLLECTIONS =
            Map.of("add", Guards::entry, "set", Guards::entry, "constructor", Guards::iterable);

    private static final Map<String, Guard> OTHERS = Map.of(
            "parse", Guards::parse,
            "exec", Guards::parts,
            "assign", Guards::properties,
            "entries", Guards::properties,
            "fromEntries", Guards::iterable);

    private Guards() {}

    /** By the name of the object that has the function, and its own. */
    static Guard find(String owner, String function) {
        Map<String, Guard> guards = switch (owner) {
            case "String" -> OF_STRINGS;
            case "Array" -> OF_ARRAYS;
            case "Map", "Set", "WeakMap", "WeakSet" -> OF_COLLECTIONS;
            default -> OTHERS;
        };
        return guards.getOrDefault(function, Guard::elements);
    }

    private static Object[] repeat(Guard.Use use, Object[] arguments) {
        double times = arguments.length == 0 ? 0 : ScriptRuntime.toNumber(arguments[0]);
        use.allowance().checkChars((long) Math.clamp(use.selfLength() * times, 0, Long.MAX_VALUE));
        return new Object[] {times};
    }

    private static Object[] pad(Guard.Use use, Object[] arguments) {
        double length = arguments.length == 0 ? 0 : ScriptRuntime.toNumber(arguments[0]);
        use.allowance().checkChars((long) Math.clamp(length, 0, Long.MAX_VALUE));
        Object filling = arguments.length < 2 ? Undefined.instance : arguments[1];
        return new Object[] {length, filling};
    }

    private static Object[] concatenate(Guard.Use use, Object[] arguments) {
        long chars = use.selfLength();
        Object[] texts = new Object[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = ScriptRuntime.toString(arguments[i]);
            chars += ((String) texts[i]).length();
        }
        use.allowance().checkChars(chars);
        return texts;
    }

    private static Object[] parts(Guard.Use use, Object[] arguments) {
        use.allowance().charge(PART_BYTES * use.selfLength());
        return Guard.elements(use, arguments);
    }

    private static Object[] parse(Guard.Use use, Object[] arguments) {
        Object[] given = arguments.clone();
        if (given.length > 0) {
            String text = ScriptRuntime.toString(given[0]);
            given[0] = text;
            use.allowance().charge(PART_BYTES * text.length());
        }
        return given;
    }

    private static Object[] properties(Guard.Use use, Object[] arguments) {
        for (Object argument : arguments) {
            if (argument instanceof ScriptableObject object) {
                use.allowance().charge(Allowance.OBJECT_BYTES * object.size());
            }
        }
        return Guard.elements(use, arguments);
    }

    private static Object[] entry(Guard.Use use, Object[] arguments) {
        use.allowance().charge(Allowance.ELEMENT_BYTES);
        return arguments;
    }

    /** An iterator of the script could go on for ever, without an object for each element. */
    private static Object[] iterable(Guard.Use use, Object[] arguments) {
        if (arguments.length > 0) {
            checkIterable(arguments[0]);
        }
        return Guard.elements(use, arguments);
    }

    static void checkIterable(Object value) {
        if (value instanceof ScriptableObject object
                && ScriptableObject.getProperty(object, SymbolKey.ITERATOR) instanceof JSFunction) {
            throw ScriptRuntime.typeError("user-defined iterators are not supported here");
        }
    }

    /** In the worst case each character, and the end, is replaced; a replacement by a function is counted as it comes. */
    private static Object[] replace(Guard.Use use, Object[] arguments) {
        Object[] given = arguments.clone();
        if (given.length > 1) {
            if (given[1] instanceof Callable callback) {
                given[1] = counting(use, callback);
            } else {
                String replacement = ScriptRuntime.toString(given[1]);
                given[1] = replacement;
                use.allowance().checkChars(use.selfLength() + (use.selfLength() + 1) * replacement.length());
            }
        }
        return Guard.elements(use, given);
    }

    private static Object[] mapping(Guard.Use use, Object[] arguments) {
        Object[] given = arguments.clone();
        if (given.length > 0 && given[0] instanceof Callable callback) {
            given[0] = counting(use, callback);
        }
        return Guard.elements(use, given);
    }

    private static Function counting(Guard.Use use, Callable callback) {
        return new LambdaFunction(
                use.scope(), 0, (Context context, Scriptable scope, Scriptable self, Object[] arguments) -> {
                    Object result = callback.call(context, scope, self, arguments);
                    Object plain = result instanceof Scriptable ? result : textOrSame(result);
                    use.allowance().charge(GuardedFunction.bytes(plain));
                    return plain;
                });
    }

    private static @Nullable Object textOrSame(@Nullable Object value) {
        return value instanceof CharSequence text ? text.toString() : value;
    }

    private static Object[] join(Guard.Use use, Object[] arguments) {
        Guard.elements(use, arguments);
        Object[] given = arguments.clone();
        long separator = 1;
        if (given.length > 0 && !Undefined.isUndefined(given[0])) {
            String text = ScriptRuntime.toString(given[0]);
            given[0] = text;
            separator = text.length();
        }
        long length = use.selfLength();
        use.allowance().checkChars(length * separator);
        long chars = length * separator;
        if (use.self() instanceof NativeArray array) {
            for (int i = 0; i < length; i++) {
                chars += array.get(i, array) instanceof CharSequence text ? text.length() : 0;
            }
            use.allowance().checkChars(chars);
        }
        return given;
    }

    /** Arrays that contain an array twice, which contains another one twice, and so on, have very many elements. */
    private static Object[] flat(Guard.Use use, Object[] arguments) {
        double depth =
                arguments.length == 0 || Undefined.isUndefined(arguments[0]) ? 1 : ScriptRuntime.toNumber(arguments[0]);
        if (use.self() instanceof NativeArray array) {
            count(use, array, depth, 0);
        }
        return new Object[] {depth};
    }

    private static long count(Guard.Use use, NativeArray array, double depth, long before) {
        long elements = before + array.getLength();
        use.allowance().checkElements(elements);
        if (depth >= 1) {
            for (int i = 0; i < array.getLength(); i++) {
                if (array.get(i, array) instanceof NativeArray inner) {
                    elements = count(use, inner, depth - 1, elements);
                }
            }
        }
        return elements;
    }
}
