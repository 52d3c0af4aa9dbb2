package dev.semel.query.update;

import dev.semel.query.pipeline.Pipelines;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads updates: a document of operators, a replacement, or the stages of a pipeline. */
public final class Updates {
    private final UpdateScope scope;
    private final Map<String, ArrayFilter> filters;
    private final Set<String> usedFilters = new HashSet<>();
    private final Node.Branch root = new Node.Branch();
    private final List<DottedPath> changed = new ArrayList<>();
    private final List<Renaming> renamings = new ArrayList<>();
    private boolean positional;

    /** A top-level name that no document can be given which exists; null if there is none. */
    private @Nullable String dollar;

    private Updates(UpdateScope scope, Map<String, ArrayFilter> filters) {
        this.scope = scope;
        this.filters = filters;
    }

    /**
     * The update that a client described.
     *
     * @param modification the {@code u} of an update: a document, or an array of stages
     */
    public static Update parse(Value modification, List<RawDocument> arrayFilters, UpdateScope scope) {
        return switch (modification) {
            case Value.Doc(RawDocument document) -> {
                Element first = document.first();
                if (first != null && first.name().startsWith("$")) {
                    var parsed = ArrayFilter.parse(arrayFilters, scope.filters());
                    yield new Updates(scope, parsed).operators(document);
                }
                refuseArrayFilters(arrayFilters, "replacement-style");
                yield replacement(document, scope);
            }
            case Value.Array(RawDocument stages) -> {
                refuseArrayFilters(arrayFilters, "pipeline-style");
                yield new Update.Transformation(Pipelines.parseUpdate(documents(stages), scope.filters()));
            }
            default ->
                throw new CommandException(
                        ErrorCode.FailedToParse, "Update argument must be either an object or an array");
        };
    }

    private static List<RawDocument> documents(RawDocument stages) {
        var documents = new ArrayList<RawDocument>();
        for (Element stage : stages) {
            if (!(stage.value() instanceof Value.Doc(RawDocument document))) {
                throw new CommandException(
                        ErrorCode.TypeMismatch, "Each element of the 'pipeline' array must be an object");
            }
            documents.add(document);
        }
        return documents;
    }

    private static void refuseArrayFilters(List<RawDocument> arrayFilters, String style) {
        if (!arrayFilters.isEmpty()) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "arrayFilters may not be specified for %s updates", style);
        }
    }

    private static Update replacement(RawDocument document, UpdateScope scope) {
        boolean emptyTimestamp = false;
        String dollar = null;
        for (Element field : document) {
            if (dollar == null && field.name().startsWith("$")) {
                dollar = field.name();
            }
            emptyTimestamp |= !scope.keepsEmptyTimestamps() && isEmptyTimestamp(field);
        }
        return new Update.Replacement(emptyTimestamp ? withTimestamps(document, scope) : document.detached(), dollar);
    }

    /** A client writes an empty timestamp where it wants the server's. */
    private static boolean isEmptyTimestamp(Element field) {
        return field.value() instanceof Value.Timestamp(long value)
                && value == 0
                && !field.name().equals("_id");
    }

    private static RawDocument withTimestamps(RawDocument document, UpdateScope scope) {
        var out = new BsonWriter(document.length());
        for (Element field : document) {
            out.put(field.name(), isEmptyTimestamp(field) ? scope.timestamps().get() : field.value());
        }
        return out.finish();
    }

    private Update operators(RawDocument update) {
        for (Element operator : update) {
            operator(operator);
        }
        for (String identifier : filters.keySet()) {
            if (!usedFilters.contains(identifier)) {
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "The array filter for identifier '%s' was not used in the update %s",
                        identifier,
                        Shell.text(update));
            }
        }
        return new Update.Operators(root, List.copyOf(renamings), List.copyOf(changed), positional, dollar);
    }

    private void operator(Element operator) {
        String name = operator.name();
        if (!isKnown(name)) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "Unknown modifier: %s. Expected a valid update modifier or pipeline-style update specified as an "
                            + "array",
                    name);
        }
        if (!(operator.value() instanceof Value.Doc(RawDocument fields))) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "Modifiers operate on fields but we found type %s instead. For example: {$mod: {<field>: ...}} "
                            + "not {%s: %s}",
                    operator.value().type(),
                    name,
                    Shell.text(operator.value()));
        }
        for (Element field : fields) {
            if (name.equals("$rename")) {
                rename(field);
            } else {
                DottedPath path = UpdatePath.parse(field.name());
                add(path, modification(name, field.name(), field.value()));
                // What only takes away, or only counts for a new document, gives no document such a name.
                if (!name.equals("$unset") && !name.equals("$setOnInsert")) {
                    note(path);
                }
            }
        }
    }

    private void note(DottedPath path) {
        if (dollar == null && path.first().startsWith("$")) {
            dollar = path.first();
        }
    }

    private static boolean isKnown(String name) {
        return switch (name) {
            case "$addToSet",
                    "$bit",
                    "$currentDate",
                    "$inc",
                    "$max",
                    "$min",
                    "$mul",
                    "$pop",
                    "$pull",
                    "$pullAll",
                    "$push",
                    "$rename",
                    "$set",
                    "$setOnInsert",
                    "$unset" -> true;
            default -> false;
        };
    }

    private Modification modification(String operator, String path, Value value) {
        return switch (operator) {
            case "$addToSet" ->
                ArrayModifications.AddToSet.parse(value, scope.filters().collation());
            case "$bit" -> NumberModifications.Bit.parse(path, value);
            case "$currentDate" -> currentDate(value);
            case "$inc" -> NumberModifications.inc(path, value);
            case "$max" -> new FieldModifications.Max(value, scope.filters().collation());
            case "$min" -> new FieldModifications.Min(value, scope.filters().collation());
            case "$mul" -> NumberModifications.mul(path, value);
            case "$pop" -> ArrayModifications.Pop.parse(path, value);
            case "$pull" -> ArrayModifications.Pull.parse(value, scope.filters());
            case "$pullAll" ->
                ArrayModifications.Pull.parseAll(value, scope.filters().collation());
            case "$push" -> Push.parse(value, scope.filters());
            case "$set" -> new FieldModifications.Set(value);
            case "$setOnInsert" -> new FieldModifications.SetOnInsert(value);
            case "$unset" -> new FieldModifications.Unset();
            default -> throw new IllegalArgumentException(operator);
        };
    }

    private Modification currentDate(Value value) {
        return switch (value) {
            case Value.Bool ignored -> new FieldModifications.Set(scope.now());
            case Value.Doc(RawDocument options) -> {
                for (Element option : options) {
                    if (!option.name().equals("$type")) {
                        throw new CommandException(
                                ErrorCode.BadValue, "Unrecognized $currentDate option: %s", option.name());
                    }
                }
                if (options.get("$type") instanceof Value.Str(var type)) {
                    if (type.toString().equals("date")) {
                        yield new FieldModifications.Set(scope.now());
                    }
                    if (type.toString().equals("timestamp")) {
                        yield new FieldModifications.SetTimestamp(scope.timestamps());
                    }
                }
                throw new CommandException(
                        ErrorCode.BadValue,
                        "The '$type' string field is required to be 'date' or 'timestamp': "
                                + "{$currentDate: {field : {$type: 'date'}}}");
            }
            default ->
                throw new CommandException(
                        ErrorCode.BadValue,
                        "%s is not valid type for $currentDate. Please use a boolean ('true') or a $type expression "
                                + "({$type: 'timestamp/date'}).",
                        value.type());
        };
    }

    private void rename(Element field) {
        if (!(field.value() instanceof Value.Str(var to))) {
            throw new CommandException(
                    ErrorCode.BadValue, "The 'to' field for $rename must be a string: %s", text(field));
        }
        if (to.toString().indexOf('\0') >= 0) {
            throw new CommandException(
                    ErrorCode.BadValue, "The 'to' field for $rename cannot contain an embedded null byte");
        }
        DottedPath source = UpdatePath.parse(field.name());
        DottedPath target = UpdatePath.parse(to.toString());
        if (source.equals(target)) {
            throw new CommandException(
                    ErrorCode.BadValue, "The source and target field for $rename must differ: %s", text(field));
        }
        if (source.overlaps(target)) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "The source and target field for $rename must not be on the same path: %s",
                    text(field));
        }
        if (UpdatePath.isDynamic(source)) {
            throw new CommandException(
                    ErrorCode.BadValue, "The source field for $rename may not be dynamic: %s", source);
        }
        if (UpdatePath.isDynamic(target)) {
            throw new CommandException(
                    ErrorCode.BadValue, "The destination field for $rename may not be dynamic: %s", target);
        }
        DottedPath paced = scope.filters().path(source.toString());
        renamings.add(new Renaming(paced, target));
        add(source, new FieldModifications.Unset());
        add(target, new Renaming.Arrival(paced));
        note(target);
    }

    private static String text(Element field) {
        return field.name() + ": " + Shell.text(field.value());
    }

    // ---- the tree

    private void add(DottedPath path, Modification modification) {
        // Each part is a node of the tree, with a map of those below it.
        scope.filters().environment().parsed(path.size());
        changed.add(UpdatePath.changed(path));
        Node in = root;
        for (int i = 0; i < path.size() - 1; i++) {
            Map<String, Node> children = children(in, path, i);
            String key = key(path, i);
            boolean elements = UpdatePath.isElements(path.part(i + 1));
            Node next = children.computeIfAbsent(
                    key, name -> elements ? new Node.Elements(new HashMap<>(), filters) : new Node.Branch());
            if (next instanceof Node.Leaf || elements != next instanceof Node.Elements) {
                throw conflict(path, path.prefix(i + 1));
            }
            in = next;
        }
        int last = path.size() - 1;
        if (children(in, path, last).putIfAbsent(key(path, last), new Node.Leaf(modification, path.toString()))
                != null) {
            throw conflict(path, path);
        }
    }

    private Map<String, Node> children(Node node, DottedPath path, int part) {
        return switch (node) {
            case Node.Branch branch -> branch.children();
            case Node.Elements(var children, var ignored) -> children;
            case Node.Leaf ignored -> throw conflict(path, path.prefix(part));
        };
    }

    /** The name of a child in the tree; an identifier must have its array filter. */
    private String key(DottedPath path, int i) {
        String part = path.part(i);
        if (!UpdatePath.isElements(part)) {
            positional |= part.equals(Node.POSITIONAL);
            return part;
        }
        String identifier = UpdatePath.identifier(part);
        if (!identifier.equals(Node.Elements.ALL)) {
            if (!filters.containsKey(identifier)) {
                throw new CommandException(
                        ErrorCode.BadValue, "No array filter found for identifier '%s' in path '%s'", identifier, path);
            }
            usedFilters.add(identifier);
        }
        return identifier;
    }

    private static CommandException conflict(DottedPath path, DottedPath at) {
        return new CommandException(
                ErrorCode.ConflictingUpdateOperators,
                "Updating the path '%s' would create a conflict at '%s'",
                path,
                at);
    }
}
