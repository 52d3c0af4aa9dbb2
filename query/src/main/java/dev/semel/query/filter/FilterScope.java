package dev.semel.query.filter;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Scope;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;

/**
 * What a filter is parsed in: the variables that {@code $expr} may name, and the environment it is evaluated in. An
 * environment belongs to one thread and one statement, and so does a filter that contains {@code $expr},
 * {@code $sampleRate} or {@code $where}; so does any filter of a command, which asks the environment whether to go on. One
 * whose environment never ends anything may be kept and shared.
 *
 * @param depth how many pipelines it stands in beside the outermost one, those of views among them
 */
public record FilterScope(Scope variables, Environment environment, int depth) {
    /** What a regular expression takes, compared with a plain condition. */
    private static final int REGEX_PARTS = 4;

    private static final int VALUES_PER_PART = 8;

    /** So many parts of a path take as much as one condition. */
    private static final int PATH_PARTS_PER_PART = 4;

    public FilterScope(Environment environment) {
        this(Scope.EMPTY, environment);
    }

    public FilterScope(Scope variables, Environment environment) {
        this(variables, environment, 0);
    }

    /** How values are compared. */
    public Collation collation() {
        return variables.collation();
    }

    /** A path by which documents are searched; in a command, which may name very many, each search is a step. */
    public DottedPath path(String name) {
        environment.parsed(1 + DottedPath.size(name) / PATH_PARTS_PER_PART);
        DottedPath path = DottedPath.of(name);
        return environment.isOfCommand() ? path.pacedBy(environment.pace()) : path;
    }

    RegexPattern regex(String pattern, String options) {
        environment.parsed(REGEX_PARTS);
        return RegexPattern.of(pattern, options, environment::checkpoint);
    }

    /** Another value of a list has been read, of which several take as much as one condition. */
    void listed(int size) {
        if (size % VALUES_PER_PART == 0) {
            environment.parsed(1);
        }
    }

    /** The same where constants that fail are found at once. */
    public FilterScope checkingConstants() {
        return new FilterScope(variables.checkingConstants(), environment, depth);
    }

    public FilterScope under(Collation other) {
        return new FilterScope(variables.under(other), environment, depth);
    }

    /** Of the same place, where these variables are known. */
    public FilterScope with(Scope others) {
        return new FilterScope(others, environment, depth);
    }

    /** Of a pipeline that stands in one of this scope. */
    public FilterScope deeper() {
        return new FilterScope(variables, environment, depth + 1);
    }
}
