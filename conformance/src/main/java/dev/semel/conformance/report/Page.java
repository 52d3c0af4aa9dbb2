package dev.semel.conformance.report;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The part of the page that the run writes. */
public final class Page {
    private static final String RUN_AGAIN = "\nRun again alone, when this page was written: ";

    /** What is not the same in every run. */
    public static final Pattern VARYING = Pattern.compile("(?<=" + RUN_AGAIN + ").*");

    private final StringBuilder text = new StringBuilder();

    private static final class Count {
        private int cases;
        private int passed;
        private int skipped;
        private int failed;

        private void add(Count other) {
            cases += other.cases;
            passed += other.passed;
            skipped += other.skipped;
            failed += other.failed;
        }

        private String row(String name) {
            return "| %s | %d | %d | %d | %d |\n".formatted(name, cases, passed, skipped, failed);
        }
    }

    /** One run: a driver on a topology. */
    public static final class Run {
        private final String name;
        private final Map<String, Count> bySuite = new TreeMap<>();
        private final Map<String, Map<String, Integer>> skipped = new TreeMap<>();
        private final Map<String, String> failed = new TreeMap<>();

        private Map<String, Integer> runAgain = Map.of();

        public Run(String name) {
            this.name = name;
        }

        /** The cases that failed beside others and were run again alone, and how often. */
        public void runAgain(Map<String, Integer> times) {
            runAgain = Map.copyOf(times);
        }

        private Count count(String suite) {
            Count count = bySuite.computeIfAbsent(suite, absent -> new Count());
            count.cases++;
            return count;
        }

        public void passed(String suite) {
            count(suite).passed++;
        }

        public void skipped(String suite, String reason) {
            count(suite).skipped++;
            skipped.computeIfAbsent(suite, absent -> new TreeMap<>()).merge(reason, 1, Integer::sum);
        }

        public void failed(String suite, String test, String reason) {
            count(suite).failed++;
            failed.put(test, reason);
        }
    }

    public Page add(Run run) {
        text.append("\n## ").append(run.name).append("\n\n");
        text.append("| suite | cases | passed | skipped | failed |\n| --- | ---: | ---: | ---: | ---: |\n");
        Count all = new Count();
        run.bySuite.forEach((suite, count) -> {
            text.append(count.row(suite));
            all.add(count);
        });
        text.append(all.row("**all**"));
        int wanted = all.cases - all.skipped;
        text.append("\nOf the %d cases that this server and this driver are meant for, %d pass: %.1f %%.\n"
                .formatted(wanted, all.passed, wanted == 0 ? 0 : 100.0 * all.passed / wanted));
        text.append(RUN_AGAIN).append(runAgain(run.runAgain)).append('\n');
        failures(run);
        if (run.skipped.isEmpty()) {
            return this;
        }
        text.append("\n### Skipped, and why\n\n| suite | reason | cases |\n| --- | --- | ---: |\n");
        run.skipped.forEach((suite, reasons) -> reasons.forEach((reason, count) -> text.append("| ")
                .append(suite)
                .append(" | ")
                .append(escaped(reason))
                .append(" | ")
                .append(count)
                .append(" |\n")));
        return this;
    }

    private static String runAgain(Map<String, Integer> times) {
        if (times.isEmpty()) {
            return "none.";
        }
        int runs = times.values().stream().mapToInt(Integer::intValue).sum();
        return times.size() + (times.size() == 1 ? " case, " : " cases, ") + runs + (runs == 1 ? " run: " : " runs: ")
                + String.join(
                        "; ",
                        times.keySet().stream().sorted().map(Page::escaped).toList())
                + ".";
    }

    /** The cases for which the server does what it does not by default. */
    public Page byStatement(Set<String> cases) {
        text.append("\n## Run with `writeAtomicity=statement`\n\n")
                .append("They demand what a batch did before it failed; by default it is undone as a whole.\n\n");
        cases.stream().sorted().forEach(each -> text.append("- ").append(each).append('\n'));
        return this;
    }

    private void failures(Run run) {
        if (run.failed.isEmpty()) {
            return;
        }
        text.append("\n### Failing\n\n");
        run.failed.forEach((test, reason) -> text.append("- ")
                .append(test)
                .append(": ")
                .append(escaped(reason))
                .append('\n'));
    }

    private static String escaped(String reason) {
        return reason.replace("|", "\\|").replace("<", "&lt;").replace("$$", "`$$`");
    }

    public Page otherFormats(String table) {
        text.append("\n## Data of other formats\n\n").append(table);
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
