package dev.semel.golden.history;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One transaction as its client saw it. Each element is appended once, so a list shows whose writes came
 * before, and in which order.
 */
public record Trace(int client, int number, List<Step> steps, Outcome outcome) {
    public Trace {
        steps = List.copyOf(steps);
    }

    /** One operation, in the order in which they were done. */
    public sealed interface Step {
        record Append(String list, int element) implements Step {}

        record Read(String list, List<Integer> elements) implements Step {
            public Read {
                elements = List.copyOf(elements);
            }
        }
    }

    /** The outcome of its commit, as its client knows it. */
    public enum Outcome {
        COMMITTED,
        ABORTED,
        /** Nothing: whether it happened shows in what others read. */
        UNKNOWN
    }

    /** All transactions, and each list at the end. */
    public record History(List<Trace> traces, Map<String, List<Integer>> lists) {
        public History {
            traces = List.copyOf(traces);
            lists = Map.copyOf(lists);
        }
    }

    /** No client numbers two transactions alike. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Trace trace && trace.client == client && trace.number == number;
    }

    @Override
    public int hashCode() {
        return 31 * client + number;
    }

    @Override
    public String toString() {
        return "T" + client + "." + number + steps;
    }
}
