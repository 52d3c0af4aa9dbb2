package dev.semel.query.script;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;

/** Makes contexts whose scripts are interpreted, counted, and see no Java. */
final class Contexts extends ContextFactory {
    private static final int INSTRUCTIONS_BETWEEN_LOOKS = 10_000;

    /** Calls of functions within functions. */
    private static final int DEPTH_MAX = 500;

    @Override
    protected Context makeContext() {
        Context context = new ScriptContext(this);
        // Compiled code would be a class per function of a client, which stays until the collector unloads it.
        context.setInterpretedMode(true);
        context.setLanguageVersion(Context.VERSION_ES6);
        context.setInstructionObserverThreshold(INSTRUCTIONS_BETWEEN_LOOKS);
        context.setMaximumInterpreterStackDepth(DEPTH_MAX);
        context.setErrorReporter(new ScriptErrors(context.getErrorReporter()));
        context.setClassShutter(name -> false);
        return context;
    }

    @Override
    protected boolean hasFeature(Context context, int feature) {
        return switch (feature) {
            case Context.FEATURE_E4X, Context.FEATURE_ENHANCED_JAVA_ACCESS -> false;
            default -> super.hasFeature(context, feature);
        };
    }

    @Override
    protected void observeInstructionCount(Context context, int instructions) {
        ScriptContext.Call call = ((ScriptContext) context).callOrNull();
        if (call == null) {
            return;
        }
        call.allowance().countInstructions(instructions);
        ScriptStopped.unlessStopped(call.checkpoint());
    }
}
