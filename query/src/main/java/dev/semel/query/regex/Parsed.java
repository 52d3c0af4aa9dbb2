package dev.semel.query.regex;

import dev.semel.query.regex.Node.Reference;
import java.util.List;
import java.util.Map;

/**
 * A regular expression that has been read.
 *
 * @param groups of them, without the whole
 * @param names each may stand for several groups
 * @param bodies what each number captures; of several groups with one number the last
 */
record Parsed(Node root, int groups, Map<String, List<Integer>> names, Map<Integer, Node> bodies) {

    /** The groups that are meant. */
    List<Integer> groups(Reference reference) {
        String name = reference.name();
        if (name != null) {
            List<Integer> named = names.get(name);
            if (named == null) {
                throw new InvalidRegex("reference to non-existent subpattern");
            }
            return named;
        }
        if (reference.number() > groups) {
            throw new InvalidRegex("reference to non-existent subpattern");
        }
        return List.of(reference.number());
    }
}
