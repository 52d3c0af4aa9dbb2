package dev.semel.query.expression;

import dev.semel.query.value.Collation;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user's variables that are visible at a point of an expression, and how values compare there. Immutable. A variable is either a constant, known
 * when the command is parsed, or a slot of the {@link Environment}; nested scopes take consecutive slots, so a slot is
 * reused as soon as its scope has ended.
 */
public final class Scope {
    /** No variables but the server's own. */
    public static final Scope EMPTY = new Scope(Map.of(), 0, Collation.SIMPLE, false);

    sealed interface Binding {}

    record Constant(@Nullable Value value) implements Binding {}

    record Slot(int index) implements Binding {}

    private final Map<String, Binding> bindings;
    private final int nextSlot;

    private final Collation collation;
    private final boolean checksConstants;

    private Scope(Map<String, Binding> bindings, int nextSlot, Collation collation, boolean checksConstants) {
        this.bindings = bindings;
        this.nextSlot = nextSlot;
        this.collation = collation;
        this.checksConstants = checksConstants;
    }

    @Nullable
    Binding find(String name) {
        return bindings.get(name);
    }

    /** The slot the next bound variable will have. */
    public int nextSlot() {
        return nextSlot;
    }

    /** How values are compared here. */
    public Collation collation() {
        return collation;
    }

    /** The same names where values are compared otherwise. */
    public Scope under(Collation other) {
        return new Scope(bindings, nextSlot, other, checksConstants);
    }

    /** Whether a constant part that fails is a {@link ConstantFailure} here; elsewhere it fails when it is evaluated. */
    public boolean checksConstants() {
        return checksConstants;
    }

    public Scope checkingConstants() {
        return new Scope(bindings, nextSlot, collation, true);
    }

    /** A scope in which these names stand for consecutive slots, the first being {@link #nextSlot()}. */
    public Scope bind(List<String> names) {
        Map<String, Binding> more = new HashMap<>(bindings);
        int slot = nextSlot;
        for (String name : names) {
            more.put(name, new Slot(slot++));
        }
        return new Scope(more, slot, collation, checksConstants);
    }

    /** A scope in which the name stands for a constant. */
    public Scope with(String name, Value constant) {
        Map<String, Binding> more = new HashMap<>(bindings);
        more.put(name, new Constant(constant));
        return new Scope(more, nextSlot, collation, checksConstants);
    }

    /** A scope in which the names of the fields stand for their values. */
    public Scope with(RawDocument constants) {
        Map<String, Binding> more = new HashMap<>(bindings);
        constants.forEach(field -> more.put(field.name(), new Constant(field.value())));
        return new Scope(more, nextSlot, collation, checksConstants);
    }

    /** The {@code let} field of a command: each value an expression without a document, evaluated here and now. */
    public Scope withLet(RawDocument let, Environment environment) {
        Map<String, Binding> more = new HashMap<>(bindings);
        for (var field : let) {
            checkUserName(field.name());
            environment.parsed(1);
            more.put(
                    field.name(),
                    new Constant(Expressions.evaluate(Expressions.parse(field.value(), this), environment)));
        }
        return new Scope(more, nextSlot, collation, checksConstants);
    }

    /** User variables begin with a lower case letter (or any letter beyond ASCII), then letters, digits, underscores. */
    public static void checkUserName(String name) {
        checkNotEmpty(name);
        if (name.equals("CURRENT")) {
            return;
        }
        char first = name.charAt(0);
        checkFirst(name, (first >= 'a' && first <= 'z') || first >= 0x80);
        checkRest(name);
    }

    /** Names as they may be read, the server's own among them. */
    static void checkName(String name) {
        checkNotEmpty(name);
        char first = name.charAt(0);
        checkFirst(name, isAsciiLetter(first) || first >= 0x80);
        checkRest(name);
    }

    private static void checkNotEmpty(String name) {
        if (name.isEmpty()) {
            throw new CommandException(ErrorCode.FailedToParse, "empty variable names are not allowed");
        }
    }

    private static void checkFirst(String name, boolean valid) {
        if (!valid) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "'%s' starts with an invalid character for a user variable name", name);
        }
    }

    private static void checkRest(String name) {
        for (int i = 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isAsciiLetter(c) && !(c >= '0' && c <= '9') && c != '_' && c < 0x80) {
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "'%s' contains an invalid character for a variable name: '%s'",
                        name,
                        c);
            }
        }
    }

    private static boolean isAsciiLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
