package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Scope;
import dev.semel.query.filter.FilterScope;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $redact}: documents, and those within them, are kept, left out, or looked into, as an expression decides for each.
 *
 * @param current the slot of the document that is decided on
 */
public record Redact(Expression decision, int current) implements Stage {
    private static final String KEEP = "keep";
    private static final String PRUNE = "prune";
    private static final String DESCEND = "descend";

    static Stage parse(Value specification, FilterScope scope) {
        Scope variables = scope.variables()
                .with("KEEP", Value.of(KEEP))
                .with("PRUNE", Value.of(PRUNE))
                .with("DESCEND", Value.of(DESCEND));
        int current = variables.nextSlot();
        return new Redact(Expressions.parse(specification, variables.bind(List.of("CURRENT"))), current);
    }

    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            @Override
            public @Nullable RawDocument next() {
                for (RawDocument root = in.next(); root != null; root = in.next()) {
                    execution.environment().checkpoint();
                    RawDocument rest = redact(root, root, execution.environment());
                    if (rest != null) {
                        return rest;
                    }
                }
                return null;
            }

            @Override
            public void close() {
                in.close();
            }
        };
    }

    private @Nullable RawDocument redact(RawDocument document, RawDocument root, Environment environment) {
        environment.bind(current, Value.of(document));
        Value decided = Expressions.evaluate(decision, environment, root);
        return switch (decided instanceof Value.Str(Text text) ? text.toString() : "") {
            case KEEP -> document;
            case PRUNE -> null;
            case DESCEND -> descend(document, root, environment);
            default ->
                throw new CommandException(
                        ErrorCode.location(17053),
                        "$redact's expression should not return anything aside from the variables $$KEEP, $$DESCEND,"
                                + " and $$PRUNE, but returned %s",
                        decided == null ? "missing" : Shell.text(decided));
        };
    }

    private RawDocument descend(RawDocument document, RawDocument root, Environment environment) {
        BsonWriter rest = new BsonWriter(document.length());
        for (ElementCursor at = document.cursor(); at.next(); ) {
            switch (at.value()) {
                case Value.Doc(RawDocument inner) -> {
                    RawDocument kept = redact(inner, root, environment);
                    if (kept != null) {
                        rest.put(at.name(), kept);
                    }
                }
                case Value.Array(RawDocument elements) -> rest.put(at.name(), array(elements, root, environment));
                default -> rest.copy(at);
            }
        }
        return rest.finish();
    }

    private Value array(RawDocument elements, RawDocument root, Environment environment) {
        BsonWriter rest = new BsonWriter(elements.length());
        for (ElementCursor at = elements.cursor(); at.next(); ) {
            switch (at.value()) {
                case Value.Doc(RawDocument inner) -> {
                    RawDocument kept = redact(inner, root, environment);
                    if (kept != null) {
                        rest.add(kept);
                    }
                }
                case Value.Array(RawDocument inner) -> rest.add(array(inner, root, environment));
                default -> rest.add(at);
            }
        }
        return rest.finishArray();
    }

    @Override
    public boolean collectFields(FieldSet into) {
        into.addWhole();
        return true;
    }
}
