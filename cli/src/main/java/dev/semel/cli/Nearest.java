package dev.semel.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The known name that a mistyped one most likely meant. */
final class Nearest {
    private Nearest() {}

    /** The name that the fewest insertions, deletions, replacements and swaps of neighbours turn this one into. */
    static String of(String typed, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String name) -> distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow(() -> new IllegalArgumentException("nothing is known"));
    }

    static int distance(String from, String to) {
        var a = from.toLowerCase(Locale.ROOT);
        var b = to.toLowerCase(Locale.ROOT);
        var costs = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                costs[i][j] = i == 0 ? j : j == 0 ? i : cheapest(costs, a, b, i, j);
            }
        }
        return costs[a.length()][b.length()];
    }

    private static int cheapest(int[][] costs, String a, String b, int i, int j) {
        int replaced = costs[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int cost = Math.min(replaced, Math.min(costs[i - 1][j], costs[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(cost, costs[i - 2][j - 2] + 1) : cost;
    }
}
