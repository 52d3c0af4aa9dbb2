package dev.semel.query.filter;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Scope;
import dev.semel.query.value.Collation;

/**
 * What a filter is parsed in: the variables that {@code $expr} may name, and the environment it is evaluated in. An
 * environment belongs to one thread and one statement, and so does a filter that contains {@code $expr},
 * {@code $sampleRate}, {@code $where} or a regular expression, which ask the environment whether to go on; any other filter,
 * or one whose environment never ends anything, may be kept and shared.
 */
public record FilterScope(Scope variables, Environment environment) {
    public FilterScope(Environment environment) {
        this(Scope.EMPTY, environment);
    }

    /** How values are compared. */
    public Collation collation() {
        return variables.collation();
    }

    /** The same where constants that fail are found at once. */
    public FilterScope checkingConstants() {
        return new FilterScope(variables.checkingConstants(), environment);
    }

    public FilterScope under(Collation other) {
        return new FilterScope(variables.under(other), environment);
    }
}
