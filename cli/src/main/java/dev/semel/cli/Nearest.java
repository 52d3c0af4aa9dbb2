package dev.semel.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that a mistyped one most likely meant. */
final class Nearest {
    private Nearest() {}

    /** What to add to "unknown ...": the name that was probably meant, or nothing. */
    static String hint(String typed, Collection<String> known) {
        return of(typed, known).map(name -> "; did you mean '" + name + "'?").orElse("");
    }

    /**
     * The name that the fewest insertions, deletions, replacements and swaps of neighbours turn this one into, unless that
     * is more than one for three characters: such a name has nothing to do with what was typed.
     */
    static Optional<String> of(String typed, Collection<String> known) {
        int length = (int) typed.chars().filter(Character::isLetterOrDigit).count();
        int max = Math.min(length - 1, (length + 1) / 3);
        return known.stream()
                .filter(name -> distance(typed, name) <= max)
                .min(Comparator.comparingInt((String name) -> distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()));
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
