package dev.semel.query.update;

import dev.semel.query.delta.Form;
import dev.semel.query.delta.WholePaths;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.NameIndex;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One application of an update's tree to one document. What does not change is copied as it stands. */
final class Application {
    private static final int BACKFILL_MAX = 1_500_000;

    /** For what a change adds. */
    private static final int ROOM_BYTES = 64;

    private final RawDocument original;
    private final boolean inserting;

    /** What is written as a whole; null if nothing is that could be told by what differs in it. */
    private @Nullable WholePaths wholes;

    /** Within elements of an array of which several are changed: they are told together. */
    private boolean together;

    Application(RawDocument original, boolean inserting) {
        this.original = original;
        this.inserting = inserting;
    }

    boolean inserting() {
        return inserting;
    }

    RawDocument original() {
        return original;
    }

    /** How errors call the document. */
    String documentText() {
        Value id = original.get("_id");
        return id == null ? "{no id}" : "{_id: " + Shell.text(id) + "}";
    }

    Form.Version version(Node.Branch branch) {
        RawDocument after = fields(branch, original, "");
        WholePaths written = wholes;
        return new Form.Version(after, written == null ? Form.OPERATORS : new Form.Operators(written));
    }

    private @Nullable Value apply(Node node, @Nullable Value before, String path) {
        return switch (node) {
            case Node.Leaf(Modification modification, String ignored) -> leaf(modification, before, path);
            case Node.Branch branch -> branch(branch, before, path);
            case Node.Elements elements -> elements(elements, before, path);
        };
    }

    private @Nullable Value leaf(Modification modification, @Nullable Value before, String path) {
        Value now = modification.apply(before, new Modification.Site(this, path));
        boolean hasParts = (now instanceof Value.Doc && before instanceof Value.Doc)
                || (now instanceof Value.Array && before instanceof Value.Array);
        if (before != null && hasParts && now != before && !modification.isToldByElement(before)) {
            whole(path);
        }
        return now;
    }

    private void whole(String path) {
        if (!together) {
            WholePaths written = wholes == null ? new WholePaths() : wholes;
            written.add(path);
            wholes = written;
        }
    }

    private @Nullable Value branch(Node.Branch branch, @Nullable Value before, String path) {
        return switch (before) {
            case null -> {
                RawDocument created = fields(branch, RawDocument.EMPTY, path);
                // An operator that creates leaves a value, so a branch without fields has created nothing.
                yield created.isEmpty() ? null : Value.of(created);
            }
            case Value.Doc(RawDocument document) -> {
                RawDocument after = fields(branch, document, path);
                yield after.equals(document) ? before : Value.of(after);
            }
            case Value.Array(RawDocument elements) -> {
                RawDocument after = positions(branch, elements, path);
                yield after.equals(elements) ? before : new Value.Array(after);
            }
            default -> {
                checkPossible(branch, before, path);
                yield before;
            }
        };
    }

    private RawDocument fields(Node.Branch branch, RawDocument before, String path) {
        NameIndex names = branch.names();
        Node[] nodes = branch.nodes();
        boolean[] done = new boolean[nodes.length];
        int left = nodes.length;
        BsonWriter out = null;
        int copied = before.offset() + 4;
        for (ElementCursor at = before.cursor(); left > 0 && at.next(); ) {
            int child = names.placeOf(at);
            if (child < 0 || done[child]) {
                continue;
            }
            done[child] = true;
            left--;
            Value old = at.value();
            Value now = apply(nodes[child], old, join(path, names.name(child)));
            if (Objects.equals(now, old)) {
                continue;
            }
            if (out == null) {
                // Where nothing grows, the array is just as long as the document and can be stored as it is.
                boolean stays = now != null && now.type() == old.type() && Numbers.isNumber(now);
                out = new BsonWriter(before.length() + (stays ? 0 : ROOM_BYTES));
            }
            out.copyElements(before.array(), copied, at.elementStart());
            copied = at.valueEnd();
            if (now != null) {
                out.put(at.nameText(), now);
            }
        }
        for (int i = 0; left > 0 && i < nodes.length; i++) {
            if (done[i]) {
                continue;
            }
            Value created = apply(nodes[i], null, join(path, names.name(i)));
            if (created != null) {
                if (out == null || copied >= 0) {
                    out = out == null ? new BsonWriter(before.length() + ROOM_BYTES) : out;
                    out.copyElements(before.array(), copied, before.offset() + before.length() - 1);
                    copied = -1;
                }
                out.put(new Text(names.name(i), 0, names.name(i).length), created);
            }
        }
        if (out == null) {
            return before;
        }
        if (copied >= 0) {
            out.copyElements(before.array(), copied, before.offset() + before.length() - 1);
        }
        return out.finish();
    }

    private static String join(String path, byte[] name) {
        String last = new String(name, StandardCharsets.UTF_8);
        return path.isEmpty() ? last : path + "." + last;
    }

    /** The children are positions of an array. */
    private RawDocument positions(Node.Branch branch, RawDocument before, String path) {
        List<Value> values = values(before);
        boolean changed = false;
        for (var child : branch.children().entrySet()) {
            String name = child.getKey();
            int index = DottedPath.index(name);
            if (index < 0) {
                checkChildPossible(child.getValue(), name, new Value.Array(before), path);
                continue;
            }
            Value old = index < values.size() ? values.get(index) : null;
            Value now = apply(child.getValue(), old, path + "." + name);
            if (Objects.equals(now, old)) {
                continue;
            }
            changed = true;
            if (old == null) {
                fill(values, index);
                values.add(now == null ? Value.NULL : now);
            } else {
                // An element removed leaves a hole: the others keep their positions.
                values.set(index, now == null ? Value.NULL : now);
            }
        }
        return changed ? array(values).elements() : before;
    }

    private static void fill(List<Value> values, int size) {
        if (size - values.size() > BACKFILL_MAX) {
            throw new CommandException(
                    ErrorCode.CannotBackfillArray,
                    "can't backfill more than %d elements in array when adding element at position %d",
                    BACKFILL_MAX,
                    size);
        }
        while (values.size() < size) {
            values.add(Value.NULL);
        }
    }

    private Value elements(Node.Elements node, @Nullable Value before, String path) {
        if (before == null) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "The path '%s' must exist in the document in order to apply array updates.",
                    path);
        }
        if (!(before instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Cannot apply array updates to non-array element %s: %s",
                    path.substring(path.lastIndexOf('.') + 1),
                    Shell.text(before));
        }
        List<Value> values = values(elements);
        boolean outer = together;
        int matched = 0;
        int changed = 0;
        int last = 0;
        for (int i = 0; i < values.size(); i++) {
            String elementPath = path + "." + i;
            Node each = node.of(values.get(i), elementPath);
            if (each == null) {
                continue;
            }
            // What the first one has noted does not matter if more follow: it or the array will be noted as a whole.
            together = outer || matched > 0;
            matched++;
            Value now = apply(each, values.get(i), elementPath);
            if (!values.get(i).equals(now)) {
                values.set(i, now == null ? Value.NULL : now);
                changed++;
                last = i;
            }
        }
        together = outer;
        if (matched > 1 && changed > 0) {
            whole(changed > 1 ? path : path + "." + last);
        }
        return changed > 0 ? array(values) : before;
    }

    static List<Value> values(RawDocument elements) {
        List<Value> values = new ArrayList<>();
        for (ElementCursor at = elements.cursor(); at.next(); ) {
            values.add(at.value());
        }
        return values;
    }

    static Value.Array array(List<Value> values) {
        var out = new BsonWriter();
        values.forEach(out::add);
        return out.finishArray();
    }

    /** Fails if something shall be created below a value that cannot have fields. */
    private void checkPossible(Node.Branch branch, Value in, String path) {
        branch.children().forEach((name, child) -> checkChildPossible(child, name, in, path));
    }

    private void checkChildPossible(Node child, String name, Value in, String path) {
        if (isTolerant(child, path + "." + name)) {
            return;
        }
        Node.Leaf removing = removing(child);
        if (removing != null) {
            throw new CommandException(
                    ErrorCode.PathNotViable,
                    "Cannot use the part (%s) of (%s) to traverse the element ({%s: %s})",
                    name,
                    removing.path(),
                    path.substring(path.lastIndexOf('.') + 1),
                    Shell.text(in));
        }
        throw new CommandException(
                ErrorCode.PathNotViable,
                "Cannot create field '%s' in element {%s: %s}",
                name,
                path.substring(path.lastIndexOf('.') + 1),
                Shell.text(in));
    }

    /** The first operator of a node, if it creates nothing. */
    private static Node.@Nullable Leaf removing(Node node) {
        return switch (node) {
            case Node.Leaf leaf -> leaf.modification().creates() ? null : leaf;
            case Node.Branch branch -> removing(branch.nodes()[0]);
            case Node.Elements ignored -> null;
        };
    }

    private boolean isTolerant(Node node, String path) {
        return switch (node) {
            case Node.Leaf(Modification modification, String ignored) ->
                modification.toleratesImpossiblePath(new Modification.Site(this, path));
            case Node.Branch branch ->
                branch.children().entrySet().stream()
                        .allMatch(each -> isTolerant(each.getValue(), path + "." + each.getKey()));
            case Node.Elements ignored -> false;
        };
    }
}
