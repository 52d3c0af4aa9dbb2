package dev.semel.query.projection;

import dev.semel.query.expression.ConstantFailure;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Scope;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.FieldNames;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads projections. Which of the two modes a specification is in shows at the first field that only fits one; a field
 * {@code _id} fits both.
 */
final class ProjectionParser {
    private static final int DEPTH_MAX = 100;

    private final FilterScope scope;
    private final Filter filter;
    private final Part.Branch root = new Part.Branch();
    private Projection.@Nullable Mode mode;
    private @Nullable DottedPath positional;
    private boolean elemMatch;
    private boolean slice;

    ProjectionParser(FilterScope scope, Filter filter) {
        this.scope = scope;
        this.filter = filter;
    }

    Projection parse(RawDocument spec) {
        if (spec.isEmpty()) {
            return projection(Projection.Mode.EXCLUSION);
        }
        fields(spec, "", 0);
        Projection.Mode found = mode == null ? modeWithoutSign() : mode;
        if (found == Projection.Mode.INCLUSION && !root.children().containsKey("_id")) {
            keepId();
        }
        checkPositional(found);
        return projection(found);
    }

    private Projection projection(Projection.Mode chosen) {
        return new Projection(chosen, root, scope.environment(), positional, filter);
    }

    /** Only {@code _id} and array operators were named. */
    private Projection.Mode modeWithoutSign() {
        Part id = root.children().get("_id");
        boolean including = elemMatch || (id instanceof Part.Keep && !slice);
        return including ? Projection.Mode.INCLUSION : Projection.Mode.EXCLUSION;
    }

    private void keepId() {
        // First, because that is where the field stands.
        var others = new LinkedHashMap<>(root.children());
        root.children().clear();
        root.children().put("_id", new Part.Keep());
        root.children().putAll(others);
    }

    private void checkPositional(Projection.Mode found) {
        if (positional == null) {
            return;
        }
        if (found == Projection.Mode.EXCLUSION) {
            throw new CommandException(
                    ErrorCode.location(31395), "positional projection cannot be used with exclusion");
        }
        if (elemMatch) {
            throw new CommandException(ErrorCode.location(31255), "Cannot specify positional operator and $elemMatch.");
        }
    }

    private void fields(RawDocument spec, String prefix, int depth) {
        if (depth > DEPTH_MAX) {
            throw new CommandException(ErrorCode.Overflow, "projection nests deeper than %d levels", DEPTH_MAX);
        }
        for (Element field : spec) {
            field(prefix, field, depth);
        }
    }

    private void field(String prefix, Element field, int depth) {
        String name = prefix + field.name();
        Value value = field.value();
        if (name.endsWith(".$") || name.contains(".$.")) {
            positional(name, value);
            return;
        }
        DottedPath path = DottedPath.ofField(name);
        switch (value) {
            case Value.Doc(RawDocument document) -> {
                Element first = document.first();
                if (first == null) {
                    throw new CommandException(
                            ErrorCode.location(51270),
                            "An empty sub-projection is not a valid value. Found empty object at path %s",
                            path);
                }
                if (isOperator(first.name(), document)) {
                    operator(path, first, document);
                } else {
                    fields(document, path + ".", depth + 1);
                }
            }
            case Value.Bool(boolean included) -> sign(path, included);
            default -> {
                if (Numbers.isNumber(value)) {
                    sign(path, !Numbers.isZero(value));
                } else {
                    literal(path, field);
                }
            }
        }
    }

    /** Several fields with dollars are fields of a sub-projection, and refused as such. */
    private static boolean isOperator(String first, RawDocument document) {
        return first.startsWith("$") && document.size() == 1 && !FieldNames.isOfReference(first);
    }

    private void sign(DottedPath path, boolean included) {
        if (!path.toString().equals("_id")) {
            Projection.Mode wanted = included ? Projection.Mode.INCLUSION : Projection.Mode.EXCLUSION;
            if (mode == null) {
                mode = wanted;
            } else if (mode != wanted) {
                throw included
                        ? new CommandException(
                                ErrorCode.location(31253),
                                "Cannot do inclusion on field %s in exclusion projection",
                                path)
                        : new CommandException(
                                ErrorCode.location(31254),
                                "Cannot do exclusion on field %s in inclusion projection",
                                path);
            }
        }
        put(path, included ? new Part.Keep() : new Part.Drop());
    }

    private void literal(DottedPath path, Element field) {
        put(path, new Part.Computed(Expressions.parse(field.value(), scope.variables())));
        if (mode == Projection.Mode.EXCLUSION) {
            throw new CommandException(
                    ErrorCode.location(31310),
                    "Cannot use an expression %s: %s in an exclusion projection",
                    field.name(),
                    Shell.text(field.value()));
        }
        mode = Projection.Mode.INCLUSION;
    }

    private void computed(DottedPath path, RawDocument call, Scope variables) {
        if (mode == Projection.Mode.EXCLUSION) {
            throw new CommandException(
                    ErrorCode.location(31252), "Cannot use expression other than $meta in exclusion projection");
        }
        mode = Projection.Mode.INCLUSION;
        put(path, new Part.Computed(Expressions.parse(call, variables)));
    }

    private void operator(DottedPath path, Element first, RawDocument document) {
        if (first.name().equals("$meta")) {
            // It fits both modes.
            put(path, new Part.Computed(Expressions.parse(Value.of(document), scope.variables())));
            return;
        }
        if (first.name().equals("$elemMatch")) {
            elemMatch(path, first.value());
            return;
        }
        if (first.name().equals("$slice")) {
            slice(path, first.value(), document);
            return;
        }
        if (!Expressions.isKnown(first.name())) {
            throw new CommandException(ErrorCode.location(31325), "Unknown expression %s", first.name());
        }
        computed(path, document, scope.variables());
    }

    /** What is not {@code find}'s own {@code $slice} may be the expression's; if it is neither, the message says why for both. */
    private void slice(DottedPath path, Value value, RawDocument call) {
        Part.Slice own;
        try {
            own = findSlice(value);
        } catch (CommandException e) {
            String context = "Invalid $slice syntax. The given syntax " + Shell.text(call)
                    + " did not match the find() syntax because :: " + e.code().codeName() + ": " + e.text()
                    + " :: The given syntax did not match the expression $slice syntax.";
            try {
                computed(path, call, scope.variables().checkingConstants());
            } catch (ConstantFailure failure) {
                throw failure.failure().inContext(context);
            } catch (CommandException failure) {
                throw failure.inContext(context);
            }
            return;
        }
        slice = true;
        put(path, own);
    }

    private void elemMatch(DottedPath path, Value query) {
        if (!(query instanceof Value.Doc)) {
            throw new CommandException(
                    ErrorCode.location(31274),
                    "elemMatch: Invalid argument, object required, but got %s",
                    query.type());
        }
        if (path.size() > 1) {
            throw new CommandException(
                    ErrorCode.location(31275), "Cannot use $elemMatch projection on a nested field.");
        }
        if (positional != null) {
            throw new CommandException(ErrorCode.location(31255), "Cannot specify positional operator and $elemMatch.");
        }
        elemMatch = true;
        RawDocument wanted = new BsonWriter()
                .put(path.toString(), new BsonWriter().put("$elemMatch", query).finish())
                .finish();
        put(path, new Part.FirstMatch(Filters.parseForElements(wanted, scope)));
    }

    /** The number or pair of numbers of {@code find}'s own {@code $slice}. */
    private static Part.Slice findSlice(Value value) {
        if (Numbers.isNumber(value)) {
            return new Part.Slice(null, int32(value));
        }
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(
                    ErrorCode.location(31273), "$slice only supports numbers and [skip, limit] arrays");
        }
        if (elements.size() != 2) {
            throw new CommandException(
                    ErrorCode.location(31272), "$slice array argument should be of form [skip, limit]");
        }
        var each = elements.iterator();
        int skip = sliceNumber(31257, "skip", each.next().value());
        int limit = sliceNumber(31258, "limit", each.next().value());
        if (limit <= 0) {
            throw new CommandException(ErrorCode.location(31259), "$slice limit must be positive, got %d", limit);
        }
        return new Part.Slice(skip, limit);
    }

    private static int sliceNumber(int code, String which, Value value) {
        if (!Numbers.isNumber(value)) {
            throw new CommandException(
                    ErrorCode.location(code),
                    "$slice expects the %s argument to be a number, got %s",
                    which,
                    value.type());
        }
        return int32(value);
    }

    private static int int32(Value number) {
        long wide = Numbers.saturatedLong(number);
        return (int) Math.max(-Integer.MAX_VALUE, Math.min(Integer.MAX_VALUE, wide));
    }

    private void positional(String name, Value value) {
        if (value instanceof Value.Doc) {
            throw new CommandException(
                    ErrorCode.location(31271), "positional projection cannot be used with an expression or sub object");
        }
        if (!(value instanceof Value.Bool) && !Numbers.isNumber(value)) {
            throw new CommandException(
                    ErrorCode.location(31308), "positional projection cannot be used with a literal");
        }
        if (!name.endsWith(".$") || name.indexOf(".$") != name.length() - 2) {
            throw new CommandException(
                    ErrorCode.location(31394),
                    "As of 4.4, it's illegal to specify positional operator in the middle of a path.Positional "
                            + "projection may only be used at the end, for example: a.b.$. If the query previously "
                            + "used a form like a.b.$.d, remove the parts following the '$' and the results will be "
                            + "equivalent.");
        }
        if (positional != null) {
            throw new CommandException(
                    ErrorCode.location(31276), "Cannot specify more than one positional projection per query.");
        }
        boolean included = switch (value) {
            case Value.Bool(boolean bool) -> bool;
            default -> Numbers.isNumber(value) && !Numbers.isZero(value);
        };
        DottedPath path = DottedPath.ofField(name.substring(0, name.length() - 2));
        positional = path;
        if (!included) {
            throw new CommandException(
                    ErrorCode.location(31395), "positional projection cannot be used with exclusion");
        }
        sign(path, true);
    }

    private void put(DottedPath path, Part part) {
        Part.Branch in = root;
        for (int i = 0; i < path.size() - 1; i++) {
            Part next = in.children().computeIfAbsent(path.part(i), name -> new Part.Branch());
            if (!(next instanceof Part.Branch branch)) {
                throw new CommandException(
                        ErrorCode.location(31249), "Path collision at %s remaining portion %s", path, path.from(i + 1));
            }
            in = branch;
        }
        if (in.children().putIfAbsent(path.last(), part) != null) {
            throw new CommandException(ErrorCode.location(31250), "Path collision at %s", path);
        }
    }
}
