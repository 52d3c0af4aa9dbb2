package dev.semel.query.script;

import java.util.Locale;
import org.mozilla.javascript.ConsString;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** What {@link Rewriting} makes the code of a client call. */
enum Operators {
    ADD {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            return add(context, arguments[0], arguments[1]);
        }
    },
    CONCATENATE {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            CharSequence before = ScriptRuntime.toCharSequence(arguments[0]);
            return add(context, before, ScriptRuntime.toCharSequence(arguments[1]));
        }
    },
    ADD_TO_PROPERTY {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            ScriptContext.allowance(context).charge(Allowance.ELEMENT_BYTES);
            Object name = arguments[1];
            Object before = ScriptRuntime.getObjectElem(arguments[0], name, context, scope);
            return ScriptRuntime.setObjectElem(arguments[0], name, add(context, before, arguments[2]), context, scope);
        }
    },
    COUNT_OBJECT {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            ScriptContext.allowance(context).charge(Allowance.OBJECT_BYTES);
            return arguments[0];
        }
    },
    COUNT_ARRAY {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            Allowance allowance = ScriptContext.allowance(context);
            long elements = ((NativeArray) arguments[0]).getLength();
            allowance.checkElements(elements);
            allowance.charge(Allowance.OBJECT_BYTES + elements * Allowance.ELEMENT_BYTES);
            return arguments[0];
        }
    },
    SPREAD {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            return Guards.elements(use(context, scope), arguments[0]);
        }
    },
    COPY_PROPERTIES {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            Guards.checkCopied(use(context, scope), arguments[0]);
            return arguments[0];
        }
    },
    COUNT_CAUGHT {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            ScriptContext.allowance(context).charge(CAUGHT_BYTES);
            return Undefined.instance;
        }
    },
    COUNT_VARIABLES {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            ScriptContext.allowance(context).charge(Allowance.VARIABLE_BYTES * ((Number) arguments[0]).longValue());
            return Undefined.instance;
        }
    },
    COUNT_ELEMENT {
        @Override
        Object apply(Context context, Scriptable scope, Object[] arguments) {
            ScriptContext.allowance(context).charge(Allowance.ELEMENT_BYTES);
            return arguments[0];
        }
    };

    /** Shorter ones are not worth a rope. */
    private static final int ROPE_CHARS_MIN = 256;

    /** What is thrown keeps the frames of all calls that it has left, of which each takes a few hundred bytes. */
    private static final long CAUGHT_BYTES = 32 << 10;

    private static Guard.Use use(Context context, Scriptable scope) {
        return new Guard.Use(context, scope, null, ScriptContext.allowance(context));
    }

    abstract Object apply(Context context, Scriptable scope, Object[] arguments);

    /** No identifier has a space. */
    String functionName() {
        return "semel " + name().toLowerCase(Locale.ROOT);
    }

    static void defineAll(ScriptableObject scope) {
        for (Operators operator : values()) {
            var function = new LambdaFunction(
                    scope,
                    operator.functionName(),
                    1,
                    (Context context, Scriptable callers, Scriptable self, Object[] arguments) ->
                            operator.apply(context, callers, arguments));
            scope.defineProperty(
                    operator.functionName(),
                    function,
                    ScriptableObject.DONTENUM | ScriptableObject.PERMANENT | ScriptableObject.READONLY);
        }
    }

    private static Object add(Context context, Object left, Object right) {
        Object sum = ScriptRuntime.add(Rope.parts(left), Rope.parts(right), context);
        if (!(sum instanceof CharSequence text)) {
            return sum;
        }
        Allowance allowance = ScriptContext.allowance(context);
        allowance.checkChars(text.length() < 0 ? Long.MAX_VALUE : text.length());
        if (text instanceof ConsString parts && text.length() >= ROPE_CHARS_MIN) {
            allowance.charge(Allowance.ELEMENT_BYTES);
            return new Rope(parts, allowance);
        }
        allowance.charge(2L * text.length());
        return text.toString();
    }
}
