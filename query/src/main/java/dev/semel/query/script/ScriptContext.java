package dev.semel.query.script;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;

/** Rhino's state of one call, with what the call may use. */
final class ScriptContext extends Context {
    /** Of built-in functions, where one element or character that is looked at is one. */
    private static final long WORK_BETWEEN_LOOKS = 64_000;

    private static final int WORK_OF_CALL = 1000;

    private @Nullable Call call;
    private long builtInWork;
    private final Set<Object> inTexts = Collections.newSetFromMap(new IdentityHashMap<>());

    /** What belongs to a call. */
    record Call(
            Allowance allowance,
            Runnable checkpoint,
            @Nullable LongConsumer stall) {}

    ScriptContext(ContextFactory factory) {
        super(factory);
    }

    void begin(Call begun) {
        call = begun;
    }

    Call call() {
        Call current = call;
        if (current == null) {
            throw new IllegalStateException("a script runs without limits");
        }
        return current;
    }

    /** Null while the standard objects are made. */
    @Nullable
    Call callOrNull() {
        return call;
    }

    /** Built-in functions can call each other for long without an instruction of the script. */
    void countBuiltInCall() {
        countBuiltInWork(WORK_OF_CALL);
    }

    /** The same for what a call is about to look at. */
    void countBuiltInWork(long more) {
        builtInWork += more;
        if (builtInWork >= WORK_BETWEEN_LOOKS) {
            builtInWork = 0;
            ScriptStopped.unlessStopped(call().checkpoint());
        }
    }

    /** Whether an array is not being turned into a text already: one that contains itself has the empty text there. */
    boolean beginText(Object array) {
        return inTexts.add(array);
    }

    void endText(Object array) {
        inTexts.remove(array);
    }

    static Allowance allowance(Context context) {
        return ((ScriptContext) context).call().allowance();
    }
}
