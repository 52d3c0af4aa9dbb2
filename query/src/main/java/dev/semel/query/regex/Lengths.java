package dev.semel.query.regex;

import dev.semel.query.regex.Node.Reference;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How many characters an expression matches, where that is one number: what can be looked for behind. */
final class Lengths {
    private static final int VARIES = -1;
    private static final int LENGTH_MAX = 65_535;

    private final Parsed pattern;
    private final Set<Integer> visiting = new HashSet<>();

    Lengths(Parsed pattern) {
        this.pattern = pattern;
    }

    int fixed(Node node) {
        long length = length(node);
        if (length == VARIES) {
            throw new InvalidRegex("lookbehind assertion is not fixed length");
        }
        return (int) length;
    }

    private long length(Node node) {
        return switch (node) {
            case Node.Literal ignored -> 1;
            case Node.OneOf ignored -> 1;
            case Node.Sequence(List<Node> parts) -> sum(parts);
            case Node.Choice(List<Node> branches) -> same(branches);
            case Node.Repeat(Node body, int min, int max, var greed) -> {
                long one = length(body);
                yield one == 0 ? 0 : one == VARIES || min != max ? VARIES : limited(one * min);
            }
            case Node.Capture(int group, Node body) -> length(body);
            case Node.Atomic(Node body) -> length(body);
            case Node.Conditional(var condition, Node then, Node otherwise) ->
                condition instanceof Node.Condition.Define ? 0 : same(List.of(then, otherwise));
            case Node.BackReference(Reference group, boolean ignored) -> ofGroup(group);
            case Node.Call(Reference group) -> ofGroup(group);
            case Node.Grapheme ignored -> VARIES;
            case Node.Look ignored -> 0;
            case Node.At ignored -> 0;
            case Node.Keep ignored -> 0;
            case Node.Control ignored -> 0;
            case Node.Close ignored -> 0;
        };
    }

    private static long limited(long length) {
        if (length > LENGTH_MAX) {
            throw new InvalidRegex("lookbehind is too complicated");
        }
        return length;
    }

    private long sum(List<Node> parts) {
        long sum = 0;
        for (Node part : parts) {
            long length = length(part);
            if (length == VARIES) {
                return VARIES;
            }
            sum = limited(sum + length);
        }
        return sum;
    }

    private long same(List<Node> branches) {
        long first = length(branches.getFirst());
        return branches.stream().allMatch(each -> length(each) == first) ? first : VARIES;
    }

    private long ofGroup(Reference reference) {
        int group = pattern.groups(reference).getFirst();
        Node body = pattern.bodies().get(group);
        if (body == null || !visiting.add(group)) {
            return VARIES;
        }
        long length = length(body);
        visiting.remove(group);
        return length;
    }
}
