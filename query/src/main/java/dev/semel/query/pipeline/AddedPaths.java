package dev.semel.query.pipeline;

import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * What is wrong with the paths that {@code $addFields} is given. As in MongoDB this is looked for in all of them before any
 * expression is read, and has other numbers than the same fault in a projection.
 */
final class AddedPaths {
    private final RawDocument specification;
    private final NavigableSet<DottedPath> seen = new TreeSet<>();

    private AddedPaths(RawDocument specification) {
        this.specification = specification;
    }

    static void check(RawDocument specification) {
        var paths = new AddedPaths(specification);
        for (Element field : specification) {
            paths.check(DottedPath.ofField(field.name()), field.value());
        }
    }

    private void check(DottedPath path, Value value) {
        if (!(value instanceof Value.Doc(RawDocument below))) {
            add(path);
            return;
        }
        for (Element field : below) {
            if (field.name().startsWith("$")) {
                checkAlone(below);
                add(path);
            } else if (field.name().indexOf('.') >= 0) {
                throw new CommandException(
                        ErrorCode.location(40183),
                        "cannot use dotted field name '%s' in a sub object: %s",
                        field.name(),
                        Shell.text(specification));
            } else {
                check(path.append(DottedPath.ofField(field.name())), field.value());
            }
        }
    }

    private void checkAlone(RawDocument expression) {
        int fields = expression.size();
        if (fields != 1) {
            throw new CommandException(
                    ErrorCode.location(40181),
                    "an expression specification must contain exactly one field, the name of the expression. Found %d"
                            + " fields in %s, while parsing object %s",
                    fields,
                    Shell.text(expression),
                    Shell.text(specification));
        }
    }

    /** A path that begins another one is its neighbour in this order, as there was no conflict before. */
    private void add(DottedPath path) {
        if (!seen.add(path)) {
            throw conflict(path, path);
        }
        DottedPath before = seen.lower(path);
        if (before != null && before.isPrefixOf(path)) {
            throw conflict(path, before);
        }
        DottedPath after = seen.higher(path);
        if (after != null && path.isPrefixOf(after)) {
            throw conflict(path, after);
        }
    }

    private CommandException conflict(DottedPath path, DottedPath other) {
        return new CommandException(
                ErrorCode.location(40176),
                "specification contains two conflicting paths. Cannot specify both '%s' and '%s': %s",
                path,
                other,
                Shell.text(specification));
    }
}
