package dev.semel.query.filter;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.filter.Clause.Branch;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains why conditions do not hold, or, below a denial, why they do. Each method fills the document that is open in the
 * writer.
 */
final class FilterMismatch {
    private final RawDocument document;
    private final MismatchWriter out;
    private final FieldMismatch fields;

    FilterMismatch(RawDocument document, MismatchWriter out) {
        this.document = document;
        this.out = out;
        this.fields = new FieldMismatch(document, out);
    }

    /** @param held whether to explain that they do hold */
    void explain(List<Clause> clauses, boolean held) {
        if (clauses.size() == 1) {
            explain(clauses.getFirst(), held);
            return;
        }
        List<Branch> branches = clauses.stream()
                .map(each -> new Branch(each.filter(), List.of(each)))
                .toList();
        combined("$and", branches, held);
    }

    private void explain(Clause clause, boolean held) {
        switch (clause.operator()) {
            case "$and" -> combined("$and", clause.branches(), held);
            case "$or" -> combined("$or", clause.branches(), held);
            case "$nor" -> combined("$nor", clause.branches(), !held);
            case "$not" -> {
                out.operator("$not").startDocument("details");
                explain(clause.denied(), !held);
                out.end();
            }
            case "$jsonSchema" -> schema(clause, held);
            case "$expr" -> expression(clause, held);
            case "$sampleRate" -> result(clause, held, Value.of(held));
            default -> {
                if (clause.filter() instanceof Filter.Always) {
                    out.operator(clause.operator(), clause.specification())
                            .reason("expression always evaluates to " + held);
                } else {
                    fields.explain(clause, isDenial(clause) != held);
                }
            }
        }
    }

    /** An operator that is compiled to the opposite of another, as {@code $ne} is. */
    private static boolean isDenial(Clause clause) {
        return clause.filter() instanceof Filter.Not;
    }

    /** @param held whether the branches that matter are those that hold */
    private void combined(String operator, List<Branch> branches, boolean held) {
        out.operator(operator).startArray(held ? "clausesSatisfied" : "clausesNotSatisfied");
        for (int i = 0; i < branches.size(); i++) {
            Branch branch = branches.get(i);
            if (matters(branch.filter(), held)) {
                out.startDocument().put("index", i).startDocument("details");
                explain(branch.clauses(), held);
                out.end().end();
            }
        }
        out.end();
    }

    /** What fails is worth explaining, too. */
    private boolean matters(Filter filter, boolean held) {
        try {
            return filter.matches(document) == held;
        } catch (CommandException e) {
            return true;
        }
    }

    private void schema(Clause clause, boolean held) {
        if (held) {
            out.operator("$jsonSchema").reason("schema matched");
        } else if (clause.filter() instanceof Filter.Schema(JsonSchema schema)
                && clause.specification().get("$jsonSchema") instanceof Value.Doc(RawDocument specification)) {
            new SchemaMismatch(out).explain(schema, specification, document);
        }
    }

    private void expression(Clause clause, boolean held) {
        if (!(clause.filter() instanceof Filter.Expr(Expression expression, Environment environment))) {
            return;
        }
        Value result;
        try {
            result = Expressions.evaluate(expression, environment.on(document));
        } catch (CommandException e) {
            out.operator(clause.operator(), clause.specification())
                    .reason("failed to evaluate aggregation expression")
                    .put("details", MismatchWriter.error(e));
            return;
        }
        result(clause, held, result);
    }

    private void result(Clause clause, boolean held, @Nullable Value result) {
        out.operator(clause.operator(), clause.specification())
                .reason(held ? "expression did match" : "expression did not match");
        if (result != null) {
            out.put("expressionResult", result);
        }
    }
}
