package dev.semel.golden;

import java.util.ArrayList;
import java.util.List;

/** The lines two texts have in common, and those they have not: {@code -} expected, {@code +} got. */
final class LineDiff {
    private LineDiff() {}

    static List<String> of(List<String> expected, List<String> actual) {
        var common = commonSuffixLengths(expected, actual);
        var lines = new ArrayList<String>();
        int e = 0;
        int a = 0;
        while (e < expected.size() || a < actual.size()) {
            if (e < expected.size() && a < actual.size() && expected.get(e).equals(actual.get(a))) {
                lines.add("  " + expected.get(e));
                e++;
                a++;
            } else if (a == actual.size() || (e < expected.size() && common[e + 1][a] >= common[e][a + 1])) {
                lines.add("- " + expected.get(e));
                e++;
            } else {
                lines.add("+ " + actual.get(a));
                a++;
            }
        }
        return lines;
    }

    // Longest common subsequence of the remaining lines, for every pair of positions. Expected outputs are short.
    private static int[][] commonSuffixLengths(List<String> expected, List<String> actual) {
        var lengths = new int[expected.size() + 1][actual.size() + 1];
        for (int e = expected.size() - 1; e >= 0; e--) {
            for (int a = actual.size() - 1; a >= 0; a--) {
                lengths[e][a] = expected.get(e).equals(actual.get(a))
                        ? lengths[e + 1][a + 1] + 1
                        : Math.max(lengths[e + 1][a], lengths[e][a + 1]);
            }
        }
        return lengths;
    }
}
