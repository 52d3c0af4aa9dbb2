package dev.semel.query.script;

import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Shell;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SerializableCallable;
import org.mozilla.javascript.Symbol;
import org.mozilla.javascript.Undefined;

/**
 * The objects that every script sees: those of the language that can be bounded, MongoDB's types, and the helpers of its shell. Sealed,
 * because all scripts share them.
 */
final class Globals {
    /** Without {@code eval}, which would run code that was not rewritten, and without buffers, BigInt and Proxy. */
    private static final Set<String> KEPT = Set.of(
            "Array",
            "Boolean",
            "Date",
            "Error",
            "EvalError",
            "Function",
            "Infinity",
            "InternalError",
            "JSON",
            "Map",
            "Math",
            "NaN",
            "Number",
            "Object",
            "RangeError",
            "ReferenceError",
            "RegExp",
            "Set",
            "String",
            "Symbol",
            "SyntaxError",
            "TypeError",
            "URIError",
            "WeakMap",
            "WeakSet",
            "decodeURI",
            "decodeURIComponent",
            "encodeURI",
            "encodeURIComponent",
            "escape",
            "isFinite",
            "isNaN",
            "parseFloat",
            "parseInt",
            "undefined",
            "unescape");

    /** Those with functions that can do much at once; all of them are constructors but JSON. */
    private static final List<String> GUARDED = List.of(
            "Array", "Error", "JSON", "Map", "Number", "Object", "RegExp", "Set", "String", "WeakMap", "WeakSet");

    /**
     * Functions of those objects that cannot be bounded: texts of objects that contain one twice, which contains another twice;
     * sets that are any object with the right functions; and symbols that all scripts would share.
     */
    private static final Map<String, Set<String>> REMOVED = Map.of(
            "String", Set.of("raw"),
            "Symbol", Set.of("for", "keyFor"),
            "Set",
                    Set.of(
                            "union",
                            "intersection",
                            "difference",
                            "symmetricDifference",
                            "isSubsetOf",
                            "isSupersetOf",
                            "isDisjointFrom"));

    private static final String SOURCE = "toSource";

    /** All objects that scripts can reach, by whatever way: also accessors, and prototypes that no name leads to. */
    private static final String REACHABLE = """
        (function (open) {
            var seen = new Set(open);
            function add(value) {
                if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return;
                seen.add(value);
                open.push(value);
            }
            while (open.length > 0) {
                var object = open.pop();
                add(Object.getPrototypeOf(object));
                Object.getOwnPropertyNames(object).concat(Object.getOwnPropertySymbols(object)).forEach(function (key) {
                    try { object[key] } catch (e) { /* It is loaded now, or an accessor that wants another object. */ }
                    var property = Object.getOwnPropertyDescriptor(object, key);
                    if (property === undefined) return;
                    add(property.value);
                    add(property.get);
                    add(property.set);
                });
            }
            return Array.from(seen);
        })([this, [][Symbol.iterator](), ''[Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](),
            'a'.matchAll(/a/g), function () {}, (function () { return arguments })(),
            (function () { 'use strict'; return arguments })()])
        """;

    private static final String HELPERS = """
        Array.sum = function (values) {
            if (values.length === 0) return null;
            var sum = values[0];
            for (var i = 1; i < values.length; i++) sum += values[i];
            return sum;
        };
        Array.avg = function (values) { return values.length === 0 ? null : Array.sum(values) / values.length; };
        Array.contains = function (values, sought) { return values.indexOf(sought) >= 0; };
        Array.unique = function (values) {
            return values.filter(function (value, at) { return values.indexOf(value) === at; });
        };
        function isString(x) { return typeof x === 'string'; }
        function isNumber(x) { return typeof x === 'number'; }
        function isObject(x) { return typeof x === 'object'; }
        function DBRef(collection, id, db) {
            var ref = {$ref: collection, $id: id};
            if (db !== undefined) ref.$db = db;
            return ref;
        }
        function ISODate(text) {
            if (text === undefined) return new Date();
            var date = new Date(/[zZ]$|[+-]\\d\\d:?\\d\\d$/.test(text) || text.length <= 10 ? text : text + 'Z');
            if (isNaN(date)) throw new Error('invalid ISO date: ' + text);
            return date;
        }
        """;

    private final ScriptableObject scope;
    private final BsonTypes types;

    Globals(Context context, Supplier<ObjectId> ids) {
        scope = context.initSafeStandardObjects(null, false);
        ScriptableObject functions = (ScriptableObject) ScriptableObject.getFunctionPrototype(scope);
        keepOnly(scope);
        removeUnbounded();
        replaceConstructor("Function", functions, refusing(functions));
        types = new BsonTypes(scope, ids);
        Operators.defineAll(scope);
        defineHelpers(context);
        NativeArray reachable = (NativeArray) context.evaluateString(scope, REACHABLE, "reachable", 1, null);
        guardAll(functions);
        sealAll(reachable);
    }

    BsonTypes types() {
        return types;
    }

    /** The global scope of one call: empty, above the shared one. */
    ScriptableObject open(Context context) {
        ScriptableObject top = (ScriptableObject) context.newObject(scope);
        top.setPrototype(scope);
        top.setParentScope(null);
        return top;
    }

    private static void keepOnly(ScriptableObject scope) {
        for (Object id : scope.getAllIds()) {
            if (id instanceof String name && !KEPT.contains(name)) {
                scope.delete(name);
            }
        }
    }

    private void removeUnbounded() {
        for (Object id : scope.getAllIds()) {
            if (id instanceof String name && value(scope, name) instanceof ScriptableObject owner) {
                Set<String> removed = REMOVED.getOrDefault(name, Set.of());
                remove(owner, removed);
                if (ScriptableObject.getProperty(owner, "prototype") instanceof ScriptableObject prototype) {
                    remove(prototype, removed);
                }
            }
        }
    }

    private static void remove(ScriptableObject owner, Set<String> names) {
        names.forEach(owner::delete);
        owner.delete(SOURCE);
    }

    private void defineHelpers(Context context) {
        context.evaluateString(scope, HELPERS, "helpers", 1, null);
        define(scope, "print", 1, (cx, callers, self, arguments) -> Undefined.instance);
        define(scope, "printjson", 1, (cx, callers, self, arguments) -> Undefined.instance);
        define(scope, "tojson", 1, (cx, callers, self, arguments) -> shell(cx, arguments));
        define(scope, "tojsononeline", 1, (cx, callers, self, arguments) -> shell(cx, arguments));
        define(scope, "hex_md5", 1, (cx, callers, self, arguments) -> Md5.hex(ScriptRuntime.toString(arguments, 0)));
        define(scope, "sleep", 1, (cx, callers, self, arguments) -> sleep(cx, ScriptRuntime.toNumber(arguments, 0)));
        ScriptableObject arrays = (ScriptableObject) ScriptableObject.getClassPrototype(scope, "Array");
        define(arrays, "join", 1, ArrayText::join);
        define(arrays, "toString", 0, ArrayText::toString);
        define(arrays, "toLocaleString", 0, ArrayText::toString);
        ScriptableObject json = (ScriptableObject) ScriptableObject.getProperty(scope, "JSON");
        define(json, "stringify", 3, (cx, callers, self, arguments) -> new JsonText(cx, callers).of(arguments));
    }

    private void define(ScriptableObject owner, String name, int length, SerializableCallable body) {
        owner.defineProperty(name, new LambdaFunction(scope, name, length, body), ScriptableObject.DONTENUM);
    }

    private static Object shell(Context context, Object[] arguments) {
        Object given = arguments.length == 0 ? Undefined.instance : arguments[0];
        return Shell.whole(new FromScript(context).convert(given));
    }

    private static Object sleep(Context context, double millis) {
        LongConsumer stall = ((ScriptContext) context).call().stall();
        if (stall == null) {
            throw ScriptRuntime.typeError("sleep is not allowed in this context");
        }
        ScriptStopped.unlessStopped(() -> stall.accept(Math.max(0, (long) millis)));
        return Undefined.instance;
    }

    // ---- guards

    private void guardAll(ScriptableObject functions) {
        guard(functions, "Function", functions);
        for (String name : GUARDED) {
            ScriptableObject owner = (ScriptableObject) ScriptableObject.getProperty(scope, name);
            guard(functions, name, owner);
            if (owner instanceof Function constructor
                    && ScriptableObject.getProperty(owner, "prototype") instanceof ScriptableObject prototype) {
                guard(functions, name, prototype);
                Guard guard = Guards.find(name, "constructor");
                replaceConstructor(name, prototype, GuardedFunction.constructor(scope, constructor, guard));
            }
        }
    }

    private void replaceConstructor(String name, ScriptableObject prototype, Function constructor) {
        prototype.defineProperty("constructor", constructor, ScriptableObject.DONTENUM);
        scope.defineProperty(name, constructor, ScriptableObject.DONTENUM);
    }

    /** {@code Function}, whose prototype is needed, though it may make no functions of texts. */
    private Function refusing(ScriptableObject functions) {
        LambdaFunction refusing = new LambdaFunction(scope, "Function", 1, (cx, callers, self, arguments) -> {
            throw ScriptRuntime.typeError("functions cannot be made of strings here");
        });
        refusing.setPrototype(functions);
        refusing.setImmunePrototypeProperty(functions);
        return refusing;
    }

    private void guard(ScriptableObject functions, String ownerName, ScriptableObject owner) {
        for (Object id : owner.getAllIds()) {
            if (!(id instanceof String name) || name.equals("constructor") || name.equals("prototype")) {
                continue;
            }
            if (value(owner, id) instanceof Function function) {
                owner.defineProperty(
                        name,
                        new GuardedFunction(scope, functions, function, Guards.find(ownerName, name)),
                        ScriptableObject.DONTENUM);
            }
        }
    }

    /** Accessors of a prototype refuse to be asked for the prototype itself. */
    private static @Nullable Object value(ScriptableObject owner, Object id) {
        try {
            return switch (id) {
                case String name -> owner.get(name, owner);
                case Symbol symbol -> owner.get(symbol, owner);
                default -> null;
            };
        } catch (RhinoException e) {
            return null;
        }
    }

    // ---- sealing

    /** What was there before the guards, and everything that names lead to from the scope since. */
    private void sealAll(NativeArray before) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<ScriptableObject> open = new ArrayDeque<>(List.of(scope));
        for (int i = 0; i < before.getLength(); i++) {
            open.push((ScriptableObject) before.get(i, before));
        }
        while (!open.isEmpty()) {
            ScriptableObject object = open.pop();
            if (seen.add(object)) {
                reachable(object).forEach(open::push);
                object.sealObject();
            }
        }
    }

    private static Set<ScriptableObject> reachable(ScriptableObject object) {
        Set<ScriptableObject> found = new HashSet<>();
        for (Object id : Arrays.asList(object.getAllIds())) {
            if (value(object, id) instanceof ScriptableObject reached) {
                found.add(reached);
            }
        }
        if (object.getPrototype() instanceof ScriptableObject prototype) {
            found.add(prototype);
        }
        return found;
    }
}
