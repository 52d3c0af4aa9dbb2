package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldPath;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Sizes;
import dev.semel.query.value.NameIndex;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code $project}, {@code $unset} and {@code $addFields} make of a document: a tree of what happens to its fields. A
 * path that meets an array applies to each element.
 */
public final class Reshape {
    /** What happens to the fields that are not mentioned, and what mentioning a field without an expression means. */
    public enum Mode {
        INCLUDE,
        EXCLUDE,
        ADD
    }

    /** What happens to one field. */
    sealed interface Node {}

    /** Kept by a projection that includes. */
    record Keep() implements Node {}

    /** Left out. */
    record Drop() implements Node {}

    record Compute(Expression expression) implements Node {}

    /** What happens to the fields below this one, in the order of the specification. */
    static final class Branch implements Node {
        private final List<String> names = new ArrayList<>();
        private final List<Node> nodes = new ArrayList<>();
        private final Map<String, Node> children = new HashMap<>();
        private @Nullable NameIndex index;

        void put(String name, Node child) {
            names.add(name);
            nodes.add(child);
            children.put(name, child);
            index = null;
        }

        @Nullable
        Node child(String name) {
            return children.get(name);
        }

        /** Which child the cursor's element is, or -1. */
        private int indexOf(ElementCursor at) {
            NameIndex known = index;
            if (known == null) {
                known = NameIndex.of(names);
                index = known;
            }
            return known.placeOf(at);
        }

        /** Whether anything here adds fields, so that even nothing becomes a document. */
        boolean computes() {
            return nodes.stream()
                    .anyMatch(child -> child instanceof Compute || (child instanceof Branch inner && inner.computes()));
        }
    }

    private final Mode mode;
    private final Branch root;

    Reshape(Mode mode, Branch root) {
        this.mode = mode;
        this.root = root;
    }

    public Mode mode() {
        return mode;
    }

    public RawDocument apply(RawDocument document, Environment environment) {
        environment.on(document);
        long mark = environment.mark();
        try {
            RawDocument result = document(root, document, environment);
            Sizes.checkDepth(result);
            return result;
        } finally {
            environment.release(mark);
        }
    }

    private RawDocument document(Branch branch, RawDocument document, Environment environment) {
        BsonWriter writer = new BsonWriter(document.length() + 64);
        long mark = environment.mark();
        boolean[] written = new boolean[branch.nodes.size()];
        // What stays as it is up to the next field that does not is copied at once.
        int same = -1;
        for (ElementCursor at = document.cursor(); at.next(); ) {
            int child = branch.indexOf(at);
            if (child < 0) {
                same = same < 0 ? at.elementStart() : same;
                continue;
            }
            copySame(document, same, at.elementStart(), writer);
            same = -1;
            present(branch, child, at, writer, written, environment);
            environment.building(mark, writer);
        }
        copySame(document, same, document.offset() + document.length() - 1, writer);
        for (int i = 0; i < written.length; i++) {
            if (!written[i]) {
                append(writer, branch.names.get(i), branch.nodes.get(i), environment);
                environment.building(mark, writer);
            }
        }
        return writer.finish();
    }

    private void copySame(RawDocument document, int start, int end, BsonWriter writer) {
        if (start >= 0 && mode != Mode.INCLUDE) {
            writer.copyElements(document.array(), start, end);
        }
    }

    private void present(
            Branch branch, int child, ElementCursor at, BsonWriter writer, boolean[] written, Environment environment) {
        switch (branch.nodes.get(child)) {
            case Keep ignored -> writer.copy(at);
            case Drop ignored -> {}
            case Compute(Expression expression) -> {
                // A projection that includes puts what it computes at the end.
                if (mode == Mode.ADD && !written[child]) {
                    written[child] = true;
                    put(writer, branch.names.get(child), Expressions.evaluate(expression, environment));
                }
            }
            case Branch inner -> {
                Value value = below(inner, at.value(), environment);
                if (value != null) {
                    written[child] = true;
                    writer.put(branch.names.get(child), value);
                }
            }
        }
    }

    private void append(BsonWriter writer, String name, Node node, Environment environment) {
        if (node instanceof Compute(Expression expression)) {
            put(writer, name, Expressions.evaluate(expression, environment));
        } else if (node instanceof Branch inner && inner.computes()) {
            put(writer, name, Value.of(document(inner, RawDocument.EMPTY, environment)));
        }
    }

    private static void put(BsonWriter writer, String name, @Nullable Value value) {
        if (value != null) {
            writer.put(name, value);
        }
    }

    private @Nullable Value below(Branch branch, Value value, Environment environment) {
        return switch (value) {
            case Value.Doc(RawDocument document) -> Value.of(document(branch, document, environment));
            case Value.Array(RawDocument elements) -> {
                BsonWriter writer = new BsonWriter(elements.length());
                long mark = environment.mark();
                for (ElementCursor at = elements.cursor(); at.next(); ) {
                    Value element = below(branch, at.value(), environment);
                    if (element != null) {
                        writer.add(element);
                        environment.building(mark, writer);
                    }
                }
                yield writer.finishArray();
            }
            default -> {
                if (mode == Mode.EXCLUDE) {
                    yield value;
                }
                yield branch.computes() ? Value.of(document(branch, RawDocument.EMPTY, environment)) : null;
            }
        };
    }

    /** The field that comes out under this name as it went in under its own; null if it is made here. */
    @Nullable
    String source(String name) {
        return switch (root.child(name)) {
            case null -> mode == Mode.INCLUDE ? null : name;
            case Keep ignored -> name;
            case Compute(Expression.Field(FieldPath path)) when path != null && path.length() == 1 -> path.name(0);
            default -> null;
        };
    }

    void collectFields(FieldSet into) {
        for (int i = 0; i < root.nodes.size(); i++) {
            Node node = root.nodes.get(i);
            // What is left out need not be read, and what is computed again need not either.
            if (node instanceof Keep || node instanceof Branch) {
                into.add(root.names.get(i));
            }
            collectExpressions(node, into);
        }
    }

    private static void collectExpressions(Node node, FieldSet into) {
        if (node instanceof Compute(Expression expression)) {
            Expressions.collectFields(expression, into);
        } else if (node instanceof Branch inner) {
            inner.nodes.forEach(child -> collectExpressions(child, into));
        }
    }
}
