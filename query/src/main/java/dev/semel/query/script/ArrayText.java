package dev.semel.query.script;

import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * {@code join} and {@code toString} of arrays. Their length is checked while they are made: an element may turn itself into
 * the same long text each time, which takes no memory before.
 */
final class ArrayText {
    private ArrayText() {}

    static Object join(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
        boolean isDefault = arguments.length == 0 || Undefined.isUndefined(arguments[0]);
        return join(context, scope, self, isDefault ? "," : ScriptRuntime.toString(arguments[0]));
    }

    static Object toString(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
        return join(context, scope, self, ",");
    }

    private static String join(Context context, Scriptable scope, Scriptable self, String separator) {
        ScriptContext scripts = (ScriptContext) context;
        Allowance allowance = ScriptContext.allowance(context);
        long length = new Guard.Use(context, scope, self, allowance).selfLength();
        allowance.checkChars(Math.max(0, length - 1) * separator.length());
        if (!scripts.beginText(self)) {
            return "";
        }
        try {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < length; i++) {
                if (i > 0) {
                    text.append(separator);
                }
                Object element = ScriptableObject.getProperty(self, i);
                if (element != null && element != Scriptable.NOT_FOUND && !Undefined.isUndefined(element)) {
                    text.append(ScriptRuntime.toString(element));
                }
                allowance.checkChars(text.length());
                scripts.countBuiltInCall();
            }
            return text.toString();
        } finally {
            scripts.endText(self);
        }
    }
}
