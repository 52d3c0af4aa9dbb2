package dev.semel.bench.set;

import java.util.List;
import java.util.Locale;

/** Times in milliseconds, told in one line. */
final class Times {
    private Times() {}

    static void tell(String what, List<Double> millis) {
        double[] sorted = millis.stream().mapToDouble(each -> each).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%s, %d times, ms: median %.0f, p95 %.0f, worst %.0f%n",
                what,
                sorted.length,
                sorted[sorted.length / 2],
                sorted[sorted.length * 95 / 100],
                sorted[sorted.length - 1]);
    }
}
