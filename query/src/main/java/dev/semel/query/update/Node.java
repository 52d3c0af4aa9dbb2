package dev.semel.query.update;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.NameIndex;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** The operators of an update by the path that they work on. */
sealed interface Node {
    /** The positional operator as a name in a {@link Branch}, until the matched element is known. */
    String POSITIONAL = "$";

    /** The node with the matched position filled in; two operators that meet there must not touch the same path. */
    Node at(int matched, String path);

    /** An operator at the end of its path. */
    record Leaf(Modification modification, String path) implements Node {
        @Override
        public Leaf at(int matched, String own) {
            return this;
        }
    }

    /** Named fields, or positions of an array; in the order in which new ones are added. */
    final class Branch implements Node {
        private final Map<String, Node> children = new TreeMap<>(DottedPath::compareParts);
        private @Nullable NameIndex names;
        private Node @Nullable [] nodes;

        Map<String, Node> children() {
            return children;
        }

        /** In the order of {@link #nodes}. */
        NameIndex names() {
            NameIndex known = names;
            if (known == null) {
                known = NameIndex.of(children.keySet());
                names = known;
            }
            return known;
        }

        Node[] nodes() {
            Node[] known = nodes;
            if (known == null) {
                known = children.values().toArray(Node[]::new);
                nodes = known;
            }
            return known;
        }

        @Override
        public Branch at(int matched, String path) {
            var resolved = new Branch();
            children.forEach((name, child) -> {
                if (!name.equals(POSITIONAL)) {
                    resolved.children.put(name, child.at(matched, join(path, name)));
                }
            });
            Node positional = children.get(POSITIONAL);
            if (positional != null) {
                if (matched < 0) {
                    throw new CommandException(
                            ErrorCode.BadValue,
                            "The positional operator did not find the match needed from the query.");
                }
                String name = Integer.toString(matched);
                String at = join(path, name);
                resolved.children.merge(name, positional.at(matched, at), merging(at));
            }
            return resolved;
        }
    }

    /** {@code $[]} and {@code $[identifier]}: elements of an array, all or those that a filter matches. */
    record Elements(Map<String, Node> children, Map<String, ArrayFilter> filters) implements Node {
        /** The identifier of {@code $[]}. */
        static final String ALL = "";

        @Override
        public Elements at(int matched, String path) {
            var resolved = new TreeMap<String, Node>();
            children.forEach((identifier, child) ->
                    resolved.put(identifier, child.at(matched, path + ".$[" + identifier + "]")));
            return new Elements(resolved, filters);
        }

        /** The change of an element, null for none. */
        @Nullable
        Node of(Value element, String path) {
            Node all = null;
            for (var each : children.entrySet()) {
                ArrayFilter filter = filters.get(each.getKey());
                if (filter == null || filter.matches(element)) {
                    all = all == null ? each.getValue() : merging(path).apply(all, each.getValue());
                }
            }
            return all;
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static BinaryOperator<Node> merging(String path) {
        return (a, b) -> merge(a, b, path);
    }

    private static Node merge(Node a, Node b, String path) {
        if (a instanceof Branch first && b instanceof Branch second) {
            var merged = new Branch();
            merged.children().putAll(first.children());
            second.children()
                    .forEach((name, child) -> merged.children().merge(name, child, merging(path + "." + name)));
            return merged;
        }
        if (a instanceof Elements first && b instanceof Elements second) {
            var children = new TreeMap<>(first.children());
            second.children().forEach((name, child) -> children.merge(name, child, merging(path + ".$[" + name + "]")));
            return new Elements(children, first.filters());
        }
        throw new CommandException(ErrorCode.ConflictingUpdateOperators, "Update created a conflict at '%s'", path);
    }
}
