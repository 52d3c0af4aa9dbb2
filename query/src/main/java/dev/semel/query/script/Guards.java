package dev.semel.query.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.IteratorLikeIterable;
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
            "from", Guards::iterable,
            "concat", Guard::elements,
            "flat", Guards::flat,
            "flatMap", Guards::mapping);

    private static final Map<String, Guard> OF_COLLECTIONS = Map.of(
            "add", Guards::entry, "set", Guards::entry, "groupBy", Guards::iterable, "constructor", Guards::iterable);

    private static final Map<String, Guard> OTHERS = Map.of(
            "parse", Guards::parse,
            "exec", Guards::parts);

    /** Of {@code Object}. */
    private static final Map<String, Guard> OF_OBJECTS = Map.ofEntries(
            Map.entry("assign", Guards::properties),
            Map.entry("entries", Guards::properties),
            Map.entry("keys", Guards::properties),
            Map.entry("values", Guards::properties),
            Map.entry("getOwnPropertyNames", Guards::properties),
            Map.entry("getOwnPropertyDescriptors", Guards::properties),
            Map.entry("getOwnPropertySymbols", Guards::properties),
            Map.entry("create", Guards::properties),
            Map.entry("groupBy", Guards::iterable),
            Map.entry("fromEntries", Guards::iterable),
            Map.entry("defineProperty", Guards::change),
            Map.entry("defineProperties", Guards::change),
            Map.entry("setPrototypeOf", Guards::change),
            Map.entry("freeze", Guards::change),
            Map.entry("seal", Guards::change),
            Map.entry("preventExtensions", Guards::change));

    private Guards() {}

    /** By the name of the object that has the function, and its own. */
    static Guard find(String owner, String function) {
        return switch (owner) {
            case "String" -> OF_STRINGS.getOrDefault(function, Guard::elements);
            case "Array" -> OF_ARRAYS.getOrDefault(function, Guards::own);
            case "Object" -> OF_OBJECTS.getOrDefault(function, Guards::constant);
            case "Map", "Set", "WeakMap", "WeakSet" -> OF_COLLECTIONS.getOrDefault(function, Guards::constant);
            default -> OTHERS.getOrDefault(function, Guard::elements);
        };
    }

    /** Of functions that look at the elements of their own array, and at their arguments as such. */
    private static Object[] own(Guard.Use use, Object[] arguments) {
        Guard.elements(use, new Object[0]);
        return constant(use, arguments);
    }

    /** Of functions that look at no elements: to them an object with a field {@code length} is one like any other. */
    private static Object[] constant(Guard.Use use, Object[] arguments) {
        use.allowance().charge(Allowance.ELEMENT_BYTES * arguments.length);
        return arguments;
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

    /** Each character of a text, and each element of an array, is a property. */
    private static Object[] properties(Guard.Use use, Object[] arguments) {
        for (Object argument : arguments) {
            use.allowance().charge(Allowance.OBJECT_BYTES * propertyCount(use, argument));
        }
        return arguments;
    }

    private static long propertyCount(Guard.Use use, @Nullable Object value) {
        return switch (value) {
            case NativeArray array -> array.size();
            case ScriptableObject object when object.getClassName().equals("String") -> use.length(object);
            case ScriptableObject object -> object.size();
            case CharSequence text -> text.length();
            case null, default -> 0;
        };
    }

    /** All scripts share the standard objects. */
    private static Object[] change(Guard.Use use, Object[] arguments) {
        if (arguments.length > 0 && arguments[0] instanceof ScriptableObject object && object.isSealed()) {
            throw ScriptRuntime.typeError("standard objects cannot be changed");
        }
        return properties(use, arguments);
    }

    private static Object[] entry(Guard.Use use, Object[] arguments) {
        use.allowance().charge(Allowance.ELEMENT_BYTES);
        return arguments;
    }

    /** An iterator could go on for ever, without an object for each element. */
    private static Object[] iterable(Guard.Use use, Object[] arguments) {
        Object[] given = arguments.clone();
        if (given.length > 0
                && given[0] instanceof ScriptableObject object
                && ScriptableObject.getProperty(object, SymbolKey.ITERATOR) instanceof Callable) {
            given[0] = elements(use, object);
        }
        return Guard.elements(use, given);
    }

    /** An array of what an iterable has, counted as it comes. */
    static Scriptable elements(Guard.Use use, Object iterable) {
        List<Object> elements = new ArrayList<>();
        Object iterator = ScriptRuntime.callIterator(iterable, use.context(), use.scope());
        try (var all = new IteratorLikeIterable(use.context(), use.scope(), iterator)) {
            for (Object element : all) {
                use.allowance().checkElements(elements.size());
                use.allowance().charge(Allowance.ELEMENT_BYTES);
                elements.add(element);
            }
        }
        return use.context().newArray(use.scope(), elements.toArray());
    }

    /** What {@code ...} copies into an object. */
    static void checkCopied(Guard.Use use, Object value) {
        use.allowance().charge(Allowance.ELEMENT_BYTES * propertyCount(use, value));
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
