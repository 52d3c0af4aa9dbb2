package dev.semel.cli.lab;

import dev.semel.blackpipe.audit.Kind;
import dev.semel.blackpipe.report.TextReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the lab says on screen. */
final class LabText {
    static final String QUESTION =
            "A web site counts its visitors: one document per day, one increment per visit. What does the counter show"
                    + " when something goes wrong on the way?";
    static final String METHOD =
            "Each strategy runs once to learn its messages. Then it runs again for each message and each thing that"
                + " can go wrong with it, behind a proxy that does it: a transient error (the connection ends, and the"
                + " next one works), an outage (there is no server any more), a command error (the server refuses)."
                + " The counter is read afterwards, without the proxy; it should be 1, or 0 where the program said"
                + " that it failed.";
    static final String CREDIT =
            "The experiment is A. Jesse Jiryu Davis's, in \"How To Write Resilient MongoDB Applications\"; the numbers"
                    + " are those of this machine, just now.";
    static final String MORAL =
            "Only an operation that may be sent twice can be sent twice. Retryable writes make it so in one round"
                    + " trip.";

    static final String SECOND_ACT =
            "The second act: a replica set of three processes on this machine. All strategies count visits, each visit"
                + " with a counter of its own, while the primary is killed with kill -9. Each counter should be 1, or"
                + " 0 where the program said that it failed.";

    private LabText() {}

    static String opening() {
        return TextReport.wrapped(QUESTION, "") + "\n" + TextReport.wrapped(METHOD, "") + "\n";
    }

    static String strategy(Measured measured) {
        var text = new StringBuilder();
        text.append(measured.strategy().name().toUpperCase(Locale.ROOT)).append(": ");
        text.append(measured.strategy().says()).append('\n');
        var out = new StringBuilder(TextReport.wrapped(text.toString().strip(), ""));
        for (var kind : Experiment.FAULTS) {
            out.append("    ")
                    .append(kind.label())
                    .append(": ")
                    .append(measured.cell(kind))
                    .append('\n');
        }
        return out.append('\n').toString();
    }

    static String closing(List<Measured> all) {
        return "What the counter shows (in brackets its value in each run)\n\n"
                + TextReport.table(VERDICT_COLUMNS, verdicts(all))
                + "\n"
                + "What it costs (without faults: round trips, and the median time of 50 runs; with one: the longest"
                + " run)\n\n"
                + TextReport.table(COST_COLUMNS, costs(all))
                + "\n"
                + TextReport.wrapped(MORAL, "")
                + "\n"
                + TextReport.wrapped(CREDIT, "");
    }

    static String secondAct(int kills) {
        return "\n" + TextReport.wrapped(SECOND_ACT + " Kills: " + kills + ".", "") + "\n";
    }

    static String killed(List<Visits> all) {
        return TextReport.table(KILLED_COLUMNS, killedRows(all));
    }

    static final List<String> KILLED_COLUMNS = List.of(
            "strategy", "visits", "counted twice", "lost", "said to have failed", "of them counted", "longest wait");

    static List<List<String>> killedRows(List<Visits> all) {
        List<List<String>> rows = new ArrayList<>();
        for (var each : all) {
            rows.add(List.of(
                    each.strategy().name(),
                    Long.toString(each.count()),
                    Long.toString(each.doubled()),
                    Long.toString(each.lost()),
                    Long.toString(each.failed()),
                    Long.toString(each.failedAndCounted()),
                    each.longestMs() + " ms"));
        }
        return rows;
    }

    static final List<String> VERDICT_COLUMNS =
            List.of("strategy", Kind.TRANSIENT.label(), Kind.OUTAGE.label(), Kind.COMMAND_ERROR.label());

    static List<List<String>> verdicts(List<Measured> all) {
        List<List<String>> rows = new ArrayList<>();
        for (var each : all) {
            rows.add(List.of(
                    each.strategy().name(),
                    each.cell(Kind.TRANSIENT),
                    each.cell(Kind.OUTAGE),
                    each.cell(Kind.COMMAND_ERROR)));
        }
        return rows;
    }

    static final List<String> COST_COLUMNS = List.of(
            "strategy",
            "round trips",
            "no fault",
            Kind.TRANSIENT.label(),
            Kind.OUTAGE.label(),
            Kind.COMMAND_ERROR.label());

    static List<List<String>> costs(List<Measured> all) {
        List<List<String>> rows = new ArrayList<>();
        for (var each : all) {
            rows.add(List.of(
                    each.strategy().name(),
                    Long.toString(each.roundTrips()),
                    each.cleanMs(),
                    time(each, Kind.TRANSIENT),
                    time(each, Kind.OUTAGE),
                    time(each, Kind.COMMAND_ERROR)));
        }
        return rows;
    }

    private static String time(Measured measured, Kind kind) {
        long attempts = measured.attempts(kind);
        return measured.longest(kind).toMillis() + " ms, " + attempts + (attempts == 1 ? " attempt" : " attempts");
    }
}
