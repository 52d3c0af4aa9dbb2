package dev.semel.blackpipe.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.message.RawFrame;
import dev.semel.blackpipe.message.Request;
import dev.semel.blackpipe.proxy.Observation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Time is judged from the fault on and in selection timeouts, whatever else a machine has to do. */
class JudgementTest {
    private static final Timing TIMING = new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2));
    private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");

    private static Observation update(long afterMs, String fault) throws IOException {
        var command = new BsonWriter().put("update", "c").put("$db", "audit_1").finish();
        var frame = RawFrame.of(MessageWriter.encode(Message.OpMsg.of(1, 0, command)))
                .decoded();
        var request = new Request(1, "", frame);
        return new Observation(1, BEGAN.plusMillis(afterMs), 0, request, fault.isEmpty(), null, fault);
    }

    private static Run.Outcome outcome(long endedMs, long applied, String error, Observation... messages) {
        return new Run.Outcome(
                List.of(messages),
                Duration.ofMillis(endedMs),
                BEGAN.plusMillis(endedMs),
                error,
                error.isEmpty() ? 1 : 0,
                new Effect.Times(applied),
                true);
    }

    private static Finding judged(Kind kind, Run.Outcome run) throws IOException {
        // The program takes five seconds to start, and does no more after its update than a tenth of one.
        var judgement = new Judgement(outcome(5_100, 1, "", update(5_000, "")), new Effect.Times(2), TIMING);
        return judgement.of(new FaultPoint("update", "c", 1, Phase.BEFORE, kind, false, List.of()), run);
    }

    @ParameterizedTest
    @CsvSource({
        "3000, 2500, correct", // one selection timeout, after a start like the other
        "60000, 2500, correct", // a start of a minute
        "3000, 3800, correct", // nearly two
        "3000, 4100, wastes time", // two
        "10, 4100, wastes time",
        "3000, 30000, wastes time",
    })
    void outageIsJudgedFromTheFaultOn(long startMs, long afterFaultMs, String verdict) throws IOException {
        var run = outcome(startMs + afterFaultMs, 0, "no server", update(startMs, "before: outage for ever"));
        assertThat(judged(Kind.OUTAGE, run).verdict().label()).isEqualTo(verdict);
    }

    @Test
    void attemptsAreCountedWhereThereAreAny() throws IOException {
        var thrice = outcome(5_300, 1, "", update(5_000, "before: close"), update(5_100, ""), update(5_200, ""));
        assertThat(judged(Kind.TRANSIENT, thrice).verdict()).isEqualTo(Verdict.WASTES_TIME);
        var twice = outcome(5_300, 1, "", update(5_000, "before: close"), update(5_100, ""));
        assertThat(judged(Kind.TRANSIENT, twice).verdict()).isEqualTo(Verdict.CORRECT);
        var refusedTwice =
                outcome(5_300, 0, "no", update(5_000, "before: error 13"), update(5_100, "before: error 13"));
        assertThat(judged(Kind.COMMAND_ERROR, refusedTwice).verdict()).isEqualTo(Verdict.WASTES_TIME);
    }

    @Test
    void driverThatFoundNoServerInTimeGetsAnotherRun() throws IOException {
        var judgement = new Judgement(outcome(100, 1, "", update(50, "")), new Effect.Times(2), TIMING);
        var gaveUpAtOnce = outcome(200, 0, "network", update(50, "before: close"));
        var foundNone = outcome(2_300, 0, "no server within 2000 ms", update(50, "before: close"));
        var point = new FaultPoint("update", "c", 1, Phase.BEFORE, Kind.TRANSIENT, false, List.of());
        assertThat(judgement.of(point, gaveUpAtOnce).verdict()).isEqualTo(Verdict.MAY_UNDERCOUNT);
        assertThat(judgement.isDoubtful(judgement.of(point, gaveUpAtOnce))).isFalse();
        assertThat(judgement.isDoubtful(judgement.of(point, foundNone))).isTrue();
    }

    /** On a busy machine a driver may miss the end of a step-down: this looked like a program that does not retry. */
    @ParameterizedTest
    @CsvSource({"STEP_DOWN, 1500, false", "STEP_DOWN, 2100, true", "STALL, 2100, false", "STALL, 4100, true"})
    void driverThatFoundNoPrimaryInTimeGetsAnotherRun(Kind kind, long endedMs, boolean isDoubtful) throws IOException {
        var judgement = new Judgement(outcome(100, 1, "", update(50, "")), new Effect.Times(2), TIMING);
        var foundNone = outcome(endedMs, 0, "no primary within 2000 ms", update(50, "before: " + kind));
        var point = new FaultPoint("update", "c", 1, Phase.BEFORE, kind, false, List.of());
        var finding = judgement.of(point, foundNone);
        assertThat(finding.verdict()).isEqualTo(Verdict.MAY_UNDERCOUNT);
        assertThat(judgement.isDoubtful(finding)).isEqualTo(isDoubtful);
    }
}
