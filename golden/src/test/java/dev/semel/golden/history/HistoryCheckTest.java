package dev.semel.golden.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.history.Trace.History;
import dev.semel.golden.history.Trace.Outcome;
import dev.semel.golden.history.Trace.Step;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The classic anomalies as histories, and which check finds which. */
class HistoryCheckTest {
    private static int clients;

    private static Trace trace(Outcome outcome, Step... steps) {
        return new Trace(clients++, 0, List.of(steps), outcome);
    }

    private static Trace committed(Step... steps) {
        return trace(Outcome.COMMITTED, steps);
    }

    private static Step append(String list, int element) {
        return new Step.Append(list, element);
    }

    private static Step read(String list, Integer... elements) {
        return new Step.Read(list, List.of(elements));
    }

    private static History history(Map<String, List<Integer>> lists, Trace... traces) {
        return new History(List.of(traces), lists);
    }

    private static void isFine(History history) {
        assertThat(HistoryCheck.serializable(history)).isEmpty();
        assertThat(HistoryCheck.snapshotIsolated(history)).isEmpty();
    }

    private static void isNothing(History history, String message) {
        assertThat(HistoryCheck.serializable(history))
                .anySatisfy(each -> assertThat(each).contains(message));
        assertThat(HistoryCheck.snapshotIsolated(history))
                .anySatisfy(each -> assertThat(each).contains(message));
    }

    @Test
    void oneAfterTheOtherIsFine() {
        isFine(history(
                Map.of("x", List.of(1, 2, 3)),
                committed(append("x", 1)),
                committed(read("x", 1), append("x", 2), read("x", 1, 2), append("x", 3)),
                committed(read("x", 1, 2, 3)),
                trace(Outcome.ABORTED, read("x", 1), append("x", 4)),
                trace(Outcome.UNKNOWN, append("x", 5))));
    }

    @Test
    void aLostUpdateIsFound() {
        isNothing(
                history(
                        Map.of("x", List.of(1, 2)),
                        committed(read("x"), append("x", 1)),
                        committed(read("x"), append("x", 2))),
                "cycle");
        // The element itself got lost.
        isNothing(
                history(Map.of("x", List.of(2)), committed(append("x", 1)), committed(append("x", 2))), "0 are there");
    }

    @Test
    void halfACommitIsFound() {
        isNothing(
                history(Map.of("x", List.of(1)), trace(Outcome.UNKNOWN, append("x", 1), append("y", 2))),
                "of 2 appended elements 1 are there");
    }

    @Test
    void aDirtyReadIsFound() {
        isNothing(
                history(Map.of("x", List.of(2)), trace(Outcome.ABORTED, append("x", 1)), committed(read("x", 1))),
                "never was the beginning");
        isNothing(
                history(Map.of("x", List.of(1, 2)), committed(append("x", 1), append("x", 2)), committed(read("x", 1))),
                "in the middle");
    }

    @Test
    void aReadThatDoesNotRepeatIsFound() {
        isNothing(
                history(Map.of("x", List.of(1)), committed(append("x", 1)), committed(read("x"), read("x", 1))),
                "cycle");
    }

    @Test
    void aReadOfTwoInstantsIsFound() {
        isNothing(
                history(
                        Map.of("x", List.of(1), "y", List.of(2)),
                        committed(append("x", 1), append("y", 2)),
                        committed(read("x", 1), read("y"))),
                "cycle");
    }

    @Test
    void whoDoesNotSeeHisOwnWritesIsFound() {
        isNothing(history(Map.of("x", List.of(1)), committed(append("x", 1), read("x"))), "not its own");
    }

    @Test
    void aClientThatSeesLessThanBeforeIsFound() {
        isNothing(
                new History(
                        List.of(
                                committed(append("x", 1)),
                                new Trace(1_000_000, 0, List.of(read("x", 1)), Outcome.COMMITTED),
                                new Trace(1_000_000, 1, List.of(read("x")), Outcome.COMMITTED)),
                        Map.of("x", List.of(1))),
                "cycle");
    }

    @Test
    void writeSkewIsFoundWhereItIsNotAllowed() {
        History skew = history(
                Map.of("x", List.of(1), "y", List.of(2)),
                committed(read("x"), read("y"), append("x", 1)),
                committed(read("x"), read("y"), append("y", 2)));
        assertThat(HistoryCheck.serializable(skew)).hasSize(1);
        assertThat(HistoryCheck.snapshotIsolated(skew)).isEmpty();
    }

    @Test
    void theReadOnlyAnomalyIsFoundWhereItIsNotAllowed() {
        History anomaly = history(
                Map.of("x", List.of(1), "y", List.of(2)),
                committed(read("x"), read("y"), append("x", 1)),
                committed(append("y", 2)),
                committed(read("x"), read("y", 2)));
        assertThat(HistoryCheck.serializable(anomaly)).hasSize(1);
        assertThat(HistoryCheck.snapshotIsolated(anomaly)).isEmpty();
    }

    @Test
    void aLongForkIsFound() {
        isNothing(
                history(
                        Map.of("x", List.of(1), "y", List.of(2)),
                        committed(append("x", 1)),
                        committed(append("y", 2)),
                        committed(read("x", 1), read("y")),
                        committed(read("x"), read("y", 2))),
                "cycle");
    }
}
