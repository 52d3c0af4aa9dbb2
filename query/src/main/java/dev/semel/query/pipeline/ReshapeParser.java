package dev.semel.query.pipeline;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Scope;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.FieldNames;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what {@code $project}, {@code $addFields} and {@code $unset} are given. */
final class ReshapeParser {
    private final Scope scope;
    private final boolean projects;
    private final Reshape.Branch root = new Reshape.Branch();
    private Reshape.@Nullable Mode mode;

    // The _id may be left out of a projection that includes everything else it names, and so decides nothing.
    private Reshape.@Nullable Node id;

    private ReshapeParser(Scope scope, boolean projects) {
        this.scope = scope;
        this.projects = projects;
    }

    static Reshape project(RawDocument specification, Scope scope) {
        if (specification.isEmpty()) {
            throw new CommandException(
                    ErrorCode.location(51272), "projection specification must have at least one field");
        }
        ReshapeParser parser = new ReshapeParser(scope, true);
        specification.forEach(parser::projected);
        return parser.projection();
    }

    static Reshape addFields(RawDocument specification, Scope scope) {
        if (specification.isEmpty()) {
            throw new CommandException(ErrorCode.location(40177), "specification must have at least one field");
        }
        AddedPaths.check(specification);
        ReshapeParser parser = new ReshapeParser(scope, false);
        for (Element field : specification) {
            parser.added(DottedPath.ofField(field.name()), field.value());
        }
        return new Reshape(Reshape.Mode.ADD, parser.root);
    }

    static Reshape exclude(List<String> fields) {
        ReshapeParser parser = new ReshapeParser(Scope.EMPTY, true);
        for (String field : fields) {
            parser.put(DottedPath.ofField(field), new Reshape.Drop());
        }
        return new Reshape(Reshape.Mode.EXCLUDE, parser.root);
    }

    /** Adds a field with the value of an expression. */
    static Reshape computed(String name, Expression expression) {
        Reshape.Branch root = new Reshape.Branch();
        root.put(name, new Reshape.Compute(expression));
        return new Reshape(Reshape.Mode.ADD, root);
    }

    /** Adds fields with the values of consecutive variables. */
    static Reshape variables(List<DottedPath> paths, int firstSlot) {
        ReshapeParser parser = new ReshapeParser(Scope.EMPTY, false);
        for (int i = 0; i < paths.size(); i++) {
            Expression variable = new Expression.Variable(firstSlot + i, null);
            parser.put(paths.get(i), new Reshape.Compute(variable));
        }
        return new Reshape(Reshape.Mode.ADD, parser.root);
    }

    // ---- $project

    private void projected(Element field) {
        if (field.name().equals("_id") && !isSpecification(field.value())) {
            id = Expressions.isTrue(field.value()) ? new Reshape.Keep() : new Reshape.Drop();
            if (root.child("_id") != null) {
                throw collision(DottedPath.of("_id"));
            }
            return;
        }
        project(DottedPath.ofField(field.name()), field.value());
    }

    /** Whether a value is anything but an inclusion or exclusion of a field. */
    private static boolean isSpecification(Value value) {
        return !(value instanceof Value.Bool) && !Numbers.isNumber(value);
    }

    private void project(DottedPath path, Value value) {
        if (!isSpecification(value)) {
            boolean include = Expressions.isTrue(value);
            decide(include ? Reshape.Mode.INCLUDE : Reshape.Mode.EXCLUDE, path);
            put(path, include ? new Reshape.Keep() : new Reshape.Drop());
            return;
        }
        if (value instanceof Value.Doc(RawDocument document) && !isProjectedExpression(document)) {
            if (document.isEmpty()) {
                throw new CommandException(
                        ErrorCode.location(51270),
                        "An empty sub-projection is not a valid value. Found empty " + "object at path");
            }
            for (Element field : document) {
                project(path.append(DottedPath.ofField(field.name())), field.value());
            }
            return;
        }
        Expression expression = Expressions.parse(value, scope);
        if (expression instanceof Expression.Meta) {
            put(path, new Reshape.Compute(expression));
            return;
        }
        if (mode == Reshape.Mode.EXCLUDE && value instanceof Value.Doc) {
            throw new CommandException(
                    ErrorCode.location(31252), "Cannot use expression other than $meta in exclusion projection");
        }
        if (mode == Reshape.Mode.EXCLUDE) {
            throw new CommandException(
                    ErrorCode.location(31310),
                    "Cannot use an expression %s: %s in an exclusion projection",
                    path,
                    Shell.text(value));
        }
        mode = Reshape.Mode.INCLUDE;
        put(path, new Reshape.Compute(expression));
    }

    private static boolean isExpression(RawDocument document) {
        Element first = document.first();
        return first != null && first.name().startsWith("$");
    }

    /** Several fields with dollars are fields of a sub-projection, and refused as such. */
    private static boolean isProjectedExpression(RawDocument document) {
        Element first = document.first();
        if (first == null || document.size() > 1 || !first.name().startsWith("$")) {
            return false;
        }
        if (Expressions.isKnown(first.name())) {
            return true;
        }
        if (FieldNames.isOfReference(first.name())) {
            return false;
        }
        throw new CommandException(ErrorCode.location(31325), "Unknown expression %s", first.name());
    }

    private void decide(Reshape.Mode wanted, DottedPath field) {
        if (mode == null) {
            mode = wanted;
        } else if (mode != wanted) {
            boolean including = wanted == Reshape.Mode.INCLUDE;
            throw new CommandException(
                    ErrorCode.location(including ? 31253 : 31254),
                    "Cannot do %s on field %s in %s projection",
                    including ? "inclusion" : "exclusion",
                    field,
                    including ? "exclusion" : "inclusion");
        }
    }

    private Reshape projection() {
        boolean idKept = id instanceof Reshape.Keep;
        Reshape.Mode decided = mode != null ? mode : idKept ? Reshape.Mode.INCLUDE : Reshape.Mode.EXCLUDE;
        if (id != null) {
            // In a projection that excludes, what is kept is what is not mentioned.
            if (decided == Reshape.Mode.INCLUDE || !idKept) {
                root.put("_id", id);
            }
        } else if (decided == Reshape.Mode.INCLUDE && root.child("_id") == null) {
            root.put("_id", new Reshape.Keep());
        }
        return new Reshape(decided, root);
    }

    // ---- $addFields

    private void added(DottedPath path, Value value) {
        if (value instanceof Value.Doc(RawDocument document) && !document.isEmpty() && !isExpression(document)) {
            for (Element field : document) {
                added(path.append(DottedPath.ofField(field.name())), field.value());
            }
            return;
        }
        put(path, new Reshape.Compute(Expressions.parse(value, scope)));
    }

    // ---- the tree

    private void put(DottedPath path, Reshape.Node node) {
        Reshape.Branch parent = parent(path);
        boolean isId = path.size() == 1 && path.last().equals("_id");
        if (parent.child(path.last()) != null || (projects && isId && id != null)) {
            throw collision(path);
        }
        parent.put(path.last(), node);
    }

    /** The branch that a path ends in, made if it is not there. */
    private Reshape.Branch parent(DottedPath path) {
        Reshape.Branch at = root;
        for (int i = 0; i < path.size() - 1; i++) {
            switch (at.child(path.part(i))) {
                case null -> {
                    Reshape.Branch branch = new Reshape.Branch();
                    at.put(path.part(i), branch);
                    at = branch;
                }
                case Reshape.Branch branch -> at = branch;
                default ->
                    throw new CommandException(
                            ErrorCode.location(31249),
                            "Path collision at %s remaining portion %s",
                            path,
                            path.from(i + 1));
            }
        }
        return at;
    }

    private static CommandException collision(DottedPath path) {
        return new CommandException(ErrorCode.location(31250), "Path collision at %s", path);
    }
}
