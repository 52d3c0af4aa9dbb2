package dev.semel.query.script;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.TopLevel;
import org.mozilla.javascript.Undefined;

/** BSON values as a script sees them: numbers, strings, objects, arrays, dates and regular expressions as JavaScript's own. */
final class ToScript {
    private static final int ELEMENTS_BETWEEN_COUNTS = 16;

    private final ScriptContext context;
    private final Scriptable scope;
    private final BsonTypes types;
    private int elements;

    ToScript(ScriptContext context, Scriptable scope, BsonTypes types) {
        this.context = context;
        this.scope = scope;
        this.types = types;
    }

    @Nullable
    Object convert(@Nullable Value value) {
        return switch (value) {
            case null -> Undefined.instance;
            case Value.Double64(double number) -> number;
            case Value.Int32(int number) -> number;
            case Value.Bool(boolean bool) -> bool;
            case Value.Str(var text) -> counted(text.toString());
            case Value.Symbol(var text) -> counted(text.toString());
            case Value.Doc(RawDocument document) -> object(document);
            case Value.Array(RawDocument array) -> array(array);
            case Value.Date(long millis) -> context.newObject(scope, "Date", new Object[] {(double) millis});
            case Value.Regex(String pattern, String options) ->
                context.newObject(scope, "RegExp", new Object[] {pattern, flags(options)});
            case Value.Constant constant ->
                switch (constant) {
                    case UNDEFINED -> Undefined.instance;
                    case NULL -> null;
                    case MIN_KEY, MAX_KEY -> types.wrap(scope, constant);
                };
            case Value.Binary ignored -> types.wrap(scope, value);
            case Value.Oid ignored -> types.wrap(scope, value);
            case Value.Int64 ignored -> types.wrap(scope, value);
            case Value.Decimal ignored -> types.wrap(scope, value);
            case Value.Timestamp ignored -> types.wrap(scope, value);
            case Value.DbPointer ignored -> types.wrap(scope, value);
            case Value.Code ignored -> types.wrap(scope, value);
            case Value.CodeWithScope ignored -> types.wrap(scope, value);
        };
    }

    private String counted(String text) {
        context.call().allowance().charge(2L * text.length());
        return text;
    }

    /** Those options that JavaScript has. */
    private static String flags(String options) {
        StringBuilder flags = new StringBuilder();
        for (char flag : new char[] {'i', 'm'}) {
            if (options.indexOf(flag) >= 0) {
                flags.append(flag);
            }
        }
        return flags.toString();
    }

    DocumentObject object(RawDocument document) {
        DocumentObject object = new DocumentObject(document);
        ScriptRuntime.setBuiltinProtoAndParent(object, scope, TopLevel.Builtins.Object);
        context.call().allowance().charge(Allowance.OBJECT_BYTES);
        for (ElementCursor at = document.cursor(); at.next(); ) {
            countElement();
            object.defineProperty(at.name(), convert(at.value()), 0);
        }
        return object;
    }

    private Scriptable array(RawDocument array) {
        List<@Nullable Object> converted = new ArrayList<>();
        context.call().allowance().charge(Allowance.OBJECT_BYTES);
        for (ElementCursor at = array.cursor(); at.next(); ) {
            countElement();
            converted.add(convert(at.value()));
        }
        DocumentArray result = new DocumentArray(converted.toArray(), array);
        ScriptRuntime.setBuiltinProtoAndParent(result, scope, TopLevel.Builtins.Array);
        return result;
    }

    private void countElement() {
        if (++elements % ELEMENTS_BETWEEN_COUNTS == 0) {
            context.call().allowance().charge(Allowance.ELEMENT_BYTES * ELEMENTS_BETWEEN_COUNTS);
        }
    }

    /** All arguments of a call. */
    @Nullable
    Object[] convert(List<? extends @Nullable Value> values) {
        @Nullable Object[] converted = new @Nullable Object[values.size()];
        for (int i = 0; i < converted.length; i++) {
            converted[i] = convert(values.get(i));
        }
        return converted;
    }
}
