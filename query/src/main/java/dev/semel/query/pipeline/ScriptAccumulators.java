package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Scope;
import dev.semel.query.value.Held;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Accumulators that are JavaScript: {@code $accumulator}, and {@code $_internalJsReduce}, with which {@code mapReduce} gathers the values
 * of a key.
 */
final class ScriptAccumulators {
    private static final Expression NO_ARGUMENTS = new Expression.Literal(new Value.Array(RawDocument.EMPTY));

    /** Values of one key that are kept before they are reduced to one. */
    private static final int VALUES_BYTES_MAX = 1 << 20;

    private ScriptAccumulators() {}

    // ---- $accumulator

    /** The functions of an {@code $accumulator}, as texts. {@code merge} is for groups that were gathered in parts. */
    private record Functions(
            String init,
            String accumulate,
            String merge,
            @Nullable String finish) {}

    static Gathering custom(String name, Value operand, Scope scope) {
        if (!(operand instanceof Value.Doc(RawDocument given))) {
            throw wrong(
                    4544703,
                    "$accumulator expects an object as an argument; found: %s",
                    operand.type().alias());
        }
        String init = null;
        String accumulate = null;
        String merge = null;
        String finish = null;
        Expression initArguments = NO_ARGUMENTS;
        Expression arguments = null;
        for (Element field : given) {
            switch (field.name()) {
                case "init" -> init = function(field, scope);
                case "accumulate" -> accumulate = function(field, scope);
                case "merge" -> merge = function(field, scope);
                case "finalize" -> finish = function(field, scope);
                case "initArgs" -> initArguments = Expressions.parse(field.value(), scope);
                case "accumulateArgs" -> arguments = Expressions.parse(field.value(), scope);
                case "lang" -> checkLanguage(field.value());
                default -> throw wrong(4544706, "$accumulator got an unexpected field: %s", field.name());
            }
        }
        String begin = required(init, 4544707, "init");
        String add = required(accumulate, 4544708, "accumulate");
        String combine = required(merge, 4544709, "merge");
        Functions functions = new Functions(begin, add, combine, finish);
        Expression perGroup = initArguments;
        return Gathering.of(
                name, required(arguments, 4544710, "accumulateArgs"), start -> accumulator(functions, perGroup, start));
    }

    private static String function(Element field, Scope scope) {
        if (!(Expressions.parse(field.value(), scope) instanceof Expression.Literal(var constant))) {
            throw wrong(4544701, "$accumulator '%s' must be a constant expression", field.name());
        }
        String text = text(constant);
        if (text == null) {
            throw wrong(4544702, "$accumulator '%s' must be a String or Code", field.name());
        }
        return text;
    }

    private static void checkLanguage(Value language) {
        if (!(language instanceof Value.Str(var text))) {
            throw wrong(
                    4544704,
                    "$accumulator lang must be a string; found: %s",
                    language.type().alias());
        }
        if (!text.toString().equals("js")) {
            throw wrong(4544705, "$accumulator only supports lang: 'js'");
        }
    }

    private static <T> T required(@Nullable T value, int code, String field) {
        if (value == null) {
            throw wrong(code, "$accumulator missing required argument '%s'", field);
        }
        return value;
    }

    private static Accumulator accumulator(Functions functions, Expression initArguments, Gathering.Start start) {
        Environment environment = start.environment();
        environment.on(start.id() instanceof Value.Doc(RawDocument key) ? key : RawDocument.EMPTY);
        List<Value> given = elements(Expressions.evaluate(initArguments, environment), 4544711, "initArgs");
        Value initial = environment.scripts().call(functions.init, given);
        start.budget().charge(Accumulators.STATE_BYTES + Held.bytes(initial));
        return new Accumulator() {
            private Value state = initial;

            @Override
            public void add(@Nullable Value value, RawDocument document) {
                List<Value> arguments = new ArrayList<>();
                arguments.add(state);
                arguments.addAll(elements(value, 4544712, "accumulateArgs"));
                become(environment.scripts().call(functions.accumulate, arguments));
            }

            private void become(Value next) {
                start.budget().charge(Held.bytes(next));
                start.budget().release(Held.bytes(state));
                state = next;
            }

            @Override
            public Value result() {
                String finish = functions.finish;
                return finish == null ? state : environment.scripts().call(finish, List.of(state));
            }

            @Override
            public Value state() {
                return state;
            }

            @Override
            public void combine(Value later) {
                become(environment.scripts().call(functions.merge, List.of(state, later)));
            }
        };
    }

    private static List<Value> elements(@Nullable Value value, int code, String field) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw wrong(
                    code,
                    "$accumulator %s must evaluate to an array: %s",
                    field,
                    value == null ? "missing" : Shell.text(value));
        }
        List<Value> values = new ArrayList<>();
        elements.forEach(element -> values.add(element.value()));
        return values;
    }

    // ---- $_internalJsReduce

    static Gathering reduce(String name, Value operand, Scope scope) {
        if (!(operand instanceof Value.Doc(RawDocument given))) {
            throw wrong(
                    31242,
                    "%s requires an object as an argument, found: %s",
                    name,
                    operand.type().alias());
        }
        String function = text(given.get("eval"));
        Value data = given.get("data");
        if (function == null || data == null) {
            throw wrong(31243, "%s requires an 'eval' function and the 'data' that it reduces", name);
        }
        return Gathering.of(name, Expressions.parse(data, scope), start -> new Reducing(function, start));
    }

    /** Keeps the values of a key; many are reduced to one before the end, as reduce functions must allow. */
    private static final class Reducing implements Accumulator {
        private final String function;
        private final Gathering.Start start;
        private final List<Value> values = new ArrayList<>();
        private Value key = Value.NULL;
        private long bytes;

        Reducing(String function, Gathering.Start start) {
            this.function = function;
            this.start = start;
            start.budget().charge(Accumulators.STATE_BYTES);
        }

        @Override
        public void add(@Nullable Value value, RawDocument document) {
            if (!(value instanceof Value.Doc(RawDocument pair))) {
                throw wrong(31251, "$_internalJsReduce requires the 'data' argument to have a 'k' and 'v' field");
            }
            key = Held.copy(present(pair.get("k")));
            keep(Held.copy(present(pair.get("v"))));
            if (bytes > VALUES_BYTES_MAX && values.size() > 1) {
                Value reduced = reduced();
                forget();
                keep(reduced);
            }
        }

        private static Value present(@Nullable Value value) {
            return value == null ? Value.NULL : value;
        }

        private void keep(Value value) {
            values.add(value);
            bytes += Held.bytes(value);
            start.budget().charge(Held.bytes(value));
        }

        private void forget() {
            values.clear();
            start.budget().release(bytes);
            bytes = 0;
        }

        private Value reduced() {
            BsonWriter all = new BsonWriter(64);
            values.forEach(all::add);
            return start.environment().scripts().call(function, List.of(key, all.finishArray()));
        }

        @Override
        public Value result() {
            return values.isEmpty() ? Value.NULL : reduced();
        }

        @Override
        public Value state() {
            BsonWriter all = new BsonWriter(64);
            values.forEach(all::add);
            return Value.of(
                    new BsonWriter().put("k", key).put("v", all.finishArray()).finish());
        }

        @Override
        public void combine(Value state) {
            if (state instanceof Value.Doc(RawDocument later) && later.get("v") instanceof Value.Array(var elements)) {
                key = Held.copy(present(later.get("k")));
                elements.forEach(element -> keep(Held.copy(element.value())));
            }
        }
    }

    private static @Nullable String text(@Nullable Value value) {
        return switch (value) {
            case Value.Str(var text) -> text.toString();
            case Value.Code(var text) -> text.toString();
            case null, default -> null;
        };
    }

    private static CommandException wrong(int code, String message, Object... arguments) {
        return new CommandException(ErrorCode.location(code), message, arguments);
    }
}
