package dev.semel.query.regex;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The capturing groups that have been read: their numbers, names and contents. */
final class Groups {
    static final int NUMBER_MAX = 65_535;

    private final Map<String, List<Integer>> names = new HashMap<>();
    private final Map<Integer, Node> bodies = new HashMap<>();

    /** Those whose end has not been read; innermost first. */
    private final Deque<Integer> open = new ArrayDeque<>();

    private int count;

    int count() {
        return count;
    }

    /** The next group gets the number behind this one. */
    void continueBehind(int number) {
        count = number;
    }

    /** Its number. */
    int begin(@Nullable String name, boolean mayShareName) {
        int group = ++count;
        if (group > NUMBER_MAX) {
            throw new InvalidRegex("too many capturing groups (maximum 65535)");
        }
        if (name != null) {
            name(group, name, mayShareName);
        }
        open.push(group);
        return group;
    }

    private void name(int group, String name, boolean mayShareName) {
        List<Integer> same = names.computeIfAbsent(name, any -> new ArrayList<>());
        if (!same.isEmpty() && !same.contains(group) && !mayShareName) {
            throw new InvalidRegex("two named subpatterns have the same name (PCRE2_DUPNAMES not set)");
        }
        if (!same.contains(group)) {
            same.add(group);
        }
    }

    void end(int group, Node body) {
        open.pop();
        bodies.put(group, body);
    }

    boolean isName(String name) {
        return names.containsKey(name);
    }

    List<Integer> open() {
        return List.copyOf(open);
    }

    Parsed parsed(Node root) {
        bodies.put(0, root);
        return new Parsed(root, count, names, bodies);
    }
}
