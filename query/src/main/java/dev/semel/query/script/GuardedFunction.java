package dev.semel.query.script;

import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * A built-in function whose work is bounded. Rhino counts the instructions of scripts, not what its own functions do: a search
 * in {@code {length: 1e15}} would never end, and {@code 'x'.repeat(1e9)} would fill the heap.
 */
final class GuardedFunction extends BaseFunction {
    private static final long serialVersionUID = 1;
    private static final long REFERENCE_BYTES = 16;
    private static final long DENSE_MAX = 1 << 24;

    private final transient Function target;
    private final transient Guard guard;

    GuardedFunction(Scriptable scope, Scriptable prototype, Function target, Guard guard) {
        super(scope, prototype);
        // The constructor of the superclass takes the one of functions whatever it is given.
        setPrototype(prototype);
        this.target = target;
        this.guard = guard;
    }

    /** A constructor, which has the properties of the one that it calls. */
    static GuardedFunction constructor(Scriptable scope, Function target, Guard guard) {
        GuardedFunction guarded = new GuardedFunction(scope, target, target, guard);
        guarded.setImmunePrototypeProperty(ScriptableObject.getProperty(target, "prototype"));
        return guarded;
    }

    @Override
    public String getFunctionName() {
        return target instanceof BaseFunction function ? function.getFunctionName() : "";
    }

    @Override
    public int getLength() {
        return target instanceof BaseFunction function ? function.getLength() : 0;
    }

    @Override
    public int getArity() {
        return getLength();
    }

    @Override
    public Object call(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
        ((ScriptContext) context).countBuiltInCall();
        Allowance allowance = ScriptContext.allowance(context);
        Object[] checked = guard.check(new Guard.Use(context, scope, self, allowance), arguments);
        Object result = target.call(context, scope, self, checked);
        allowance.charge(bytes(result));
        return result;
    }

    @Override
    public Scriptable construct(Context context, Scriptable scope, Object[] arguments) {
        Allowance allowance = ScriptContext.allowance(context);
        Object[] checked = guard.check(new Guard.Use(context, scope, scope, allowance), arguments);
        Scriptable result = target.construct(context, scope, checked);
        allowance.charge(bytes(result));
        return result;
    }

    static long bytes(@Nullable Object value) {
        return switch (value) {
            case CharSequence text -> Allowance.ELEMENT_BYTES + 2L * text.length();
            case NativeArray array -> Allowance.OBJECT_BYTES + Math.min(array.getLength(), DENSE_MAX) * REFERENCE_BYTES;
            case Scriptable ignored -> Allowance.ELEMENT_BYTES;
            case null, default -> 0;
        };
    }
}
