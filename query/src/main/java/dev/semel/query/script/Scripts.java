package dev.semel.query.script;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** The functions of one command. For one thread. */
public final class Scripts {
    /** What the interpreter holds for a command, apart from what its functions allocate. */
    public static final int BYTES = 64 << 10;

    private final Contexts contexts;
    private final Globals globals;
    private final ScriptLimits limits;
    private final MemoryPart memory;
    private final Runnable checkpoint;
    private final @Nullable LongConsumer stall;
    private final Map<String, Script> compiled = new HashMap<>();
    private RawDocument variables = RawDocument.EMPTY;

    /** What compiling all functions so far would have taken at once. */
    private long compiledBytes;

    Scripts(
            Contexts contexts,
            Globals globals,
            ScriptLimits limits,
            MemoryPart memory,
            Runnable checkpoint,
            @Nullable LongConsumer stall) {
        this.contexts = contexts;
        this.globals = globals;
        this.limits = limits;
        this.memory = memory;
        this.checkpoint = checkpoint;
        this.stall = stall;
    }

    /** The global variables that functions see, as {@code scope} of {@code mapReduce} gives them. */
    public void define(RawDocument globalVariables) {
        variables = globalVariables;
    }

    /** Refuses what is no JavaScript, with 139. */
    public void check(String code) {
        script(code);
    }

    private Script script(String code) {
        Script known = compiled.get(code);
        if (known == null) {
            known = compile(code);
            compiled.put(code, known);
        }
        return known;
    }

    /**
     * Draws on the memory of queries: the parser's tree takes many times the text. The functions compiled before count
     * again, in place of what is kept of them.
     */
    private Script compile(String code) {
        long bytes = compiledBytes + ScriptSource.treeBytes(code);
        try (Reservation reservation = memory.open()) {
            if (!reservation.tryGrow(bytes)) {
                throw memory.refusal(ErrorCode.ExceededMemoryLimit, "What JavaScript of this length takes to compile");
            }
            Script script = contexts.call(context -> ScriptSource.compile(context, code));
            compiledBytes = bytes;
            return script;
        }
    }

    /** Calls a function without {@code this}. */
    public Value call(String code, List<? extends @Nullable Value> arguments) {
        return run(code, null, arguments, null);
    }

    /** Whether a function says yes to a document, which is {@code this} and {@code obj} to it. */
    public boolean test(String code, RawDocument document) {
        Script script = script(code);
        return within(context -> {
            ScriptableObject top = globals.open(context);
            defineVariables(context, top);
            Scriptable object = new ToScript(context, top, globals.types()).object(document);
            top.defineProperty("obj", object, 0);
            return ScriptRuntime.toBoolean(function(script, context, top).call(context, top, object, new Object[0]));
        });
    }

    /** What a function emits for a document, which is {@code this} to it: documents with {@code k} and {@code v}. */
    public List<Emitted> emit(String code, RawDocument document) {
        List<Emitted> emitted = new ArrayList<>();
        run(code, document, List.of(), emitted);
        return emitted;
    }

    /** A pair that a map function has emitted. */
    public record Emitted(Value key, Value value) {}

    private Value run(
            String code,
            @Nullable RawDocument self,
            List<? extends @Nullable Value> arguments,
            @Nullable List<Emitted> emitted) {
        Script script = script(code);
        return within(context -> {
            ScriptableObject top = globals.open(context);
            ToScript in = new ToScript(context, top, globals.types());
            defineVariables(context, top);
            if (emitted != null) {
                top.defineProperty("emit", emitter(context, top, emitted), 0);
            }
            Scriptable object = self == null ? top : in.object(self);
            Object result = function(script, context, top).call(context, top, object, in.convert(arguments));
            return new FromScript(context).convert(result);
        });
    }

    private void defineVariables(ScriptContext context, ScriptableObject top) {
        for (Element variable : variables) {
            Object value = new ToScript(context, top, globals.types()).convert(variable.value());
            top.defineProperty(variable.name(), value, 0);
        }
    }

    private static Function function(Script script, Context context, Scriptable top) {
        if (script.exec(context, top, top) instanceof Function function) {
            return function;
        }
        throw new CommandException(ErrorCode.JSInterpreterFailure, "The JavaScript code is no function");
    }

    private static LambdaFunction emitter(ScriptContext context, Scriptable top, List<Emitted> emitted) {
        FromScript out = new FromScript(context);
        return new LambdaFunction(
                top, "emit", 2, (Context cx, Scriptable callers, Scriptable self, Object[] arguments) -> {
                    if (arguments.length != 2) {
                        throw new ScriptStopped(new CommandException(ErrorCode.location(31220), "emit takes 2 args"));
                    }
                    Value key = out.convert(arguments[0]);
                    Value value = out.convert(arguments[1]);
                    context.call().allowance().charge(Allowance.OBJECT_BYTES + bytes(key) + bytes(value));
                    emitted.add(new Emitted(key == Value.UNDEFINED ? Value.NULL : key, value));
                    return Undefined.instance;
                });
    }

    private static long bytes(Value value) {
        return switch (value) {
            case Value.Doc(var document) -> document.length();
            case Value.Array(var elements) -> elements.length();
            case Value.Str(var text) -> text.length();
            default -> 0;
        };
    }

    private interface Work<T> {
        T run(ScriptContext context);
    }

    /** Runs something of a script, and turns how it ends into an answer to the client. */
    private <T> T within(Work<T> work) {
        try (Allowance allowance = new Allowance(limits, memory)) {
            return contexts.call(entered -> {
                ScriptContext context = (ScriptContext) entered;
                context.begin(new ScriptContext.Call(allowance, checkpoint, stall));
                return work.run(context);
            });
        } catch (ScriptStopped e) {
            throw e.reason();
        } catch (StackOverflowError e) {
            throw new CommandException(ErrorCode.JSInterpreterFailure, "InternalError: too much recursion");
        } catch (RhinoException e) {
            throw new CommandException(
                    ErrorCode.JSInterpreterFailure, "%s :\n@:%d\n", e.details(), Math.max(1, e.lineNumber()));
        }
    }
}
