package dev.semel.query.expression;

import dev.semel.wire.CommandException;

/**
 * A constant part of an expression fails wherever it stands, so the whole expression fails, before there is a document. Thrown
 * only while parsing in a scope that {@link Scope#checksConstants}, and caught by the creator of that scope, which knows the
 * context.
 */
public final class ConstantFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient CommandException failure;

    public ConstantFailure(CommandException failure) {
        super(failure.text(), null, false, false);
        this.failure = failure;
    }

    public CommandException failure() {
        return failure;
    }
}
