package dev.semel.blackpipe.fault;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.blackpipe.message.Match;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTextTest {
    private static List<Rule> parse(String text) {
        return PlanText.parse(text, "plan.yaml");
    }

    @Test
    void everyFieldIsRead() {
        assertThat(parse("""
            - match:
                command: [insert, update]
                namespace: shop.orders
                nth: 2
                connection: 3
                appName: shop
                where: {txnNumber: {exists: true}, documents.0._id: 7, name: x, ok: true}
              phase: afterApply
              action: {error: {code: 91, message: bye, labels: [RetryableWriteError]}}
              times: 4
            """))
                .containsExactly(Rule.of(
                                command("insert", "update")
                                        .on("shop.orders")
                                        .onConnection(3)
                                        .from("shop")
                                        .with("txnNumber")
                                        .with("documents.0._id", Value.of(7L))
                                        .with("name", Value.of("x"))
                                        .with("ok", Value.of(true)),
                                Phase.AFTER_APPLY,
                                new Action.ErrorReply(91, "bye", List.of("RetryableWriteError")))
                        .nth(2)
                        .times(4));
    }

    @Test
    void whatIsNotSaidIsTheFirstOfAnyCommandBeforeTheServer() {
        assertThat(parse("- action: close")).containsExactly(Rule.of(Match.any(), Phase.BEFORE, new Action.Close()));
        assertThat(parse("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "close | close",
                "reset | reset",
                "stall | stall for ever",
                "{stall: 2s} | stall 2000 ms",
                "{delay: 200} | delay 200 ms",
                "{delay: 200ms} | delay 200 ms",
                "{error: 189} | error 189",
                "{meet: 2s} | meet within 2000 ms",
                "{drip: 50ms} | drip 1 byte every 50 ms",
                "{drip: {bytes: 16, every: 1s}} | drip 16 bytes every 1000 ms",
                "{outage: 1m} | outage 60000 ms",
                "outage | outage for ever",
                "blackhole | blackhole for ever",
                "{blackhole: 3s} | blackhole 3000 ms",
                "badhandshake | badhandshake for ever",
                "{badhandshake: 3s} | badhandshake 3000 ms",
                "badcertificate | badcertificate for ever",
                "{badcertificate: 3s} | badcertificate 3000 ms",
                "stepdown | stepdown 10000 ms"
            })
    void actionsAreWordsOrWordsWithATime(String text, String action) {
        assertThat(parse("- action: " + text).getFirst().action()).hasToString(action);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "duplicate | duplicate",
                "stale | stale",
                "reorder | reorder for ever",
                "{reorder: 2s} | reorder 2000 ms",
            })
    void faultsOfRepliesGoWithThePhaseInWhichThereIsOne(String text, String action) {
        assertThat(parse("- phase: afterApply\n  action: " + text).getFirst().action())
                .hasToString(action);
        assertThatThrownBy(() -> parse("- action: " + text))
                .isInstanceOf(BadPlan.class)
                .hasMessage("plan.yaml, line 1: '" + action + "' does not go with phase before, but with afterApply");
    }

    @Test
    void replyIsCutLikeARequest() {
        assertThat(parse("- {phase: withinReply, bytes: 20, action: close}"))
                .containsExactly(Rule.of(Match.any(), Phase.WITHIN_REPLY, new Action.Close())
                        .atByte(20));
    }

    @Test
    void everyActionGoesWithSomePhaseAndRulesRefuseTheOthers() {
        assertThatThrownBy(() -> Rule.of(Match.any(), Phase.WITHIN, new Action.StaleReply()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'stale' does not go with phase within, but with afterApply");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`action: close` | plan.yaml, line 1: a plan must be a list of rules, each beginning with '- match:'",
                "`- {match: {comand: x}, action: close}` | plan.yaml, line 1: unknown field 'comand' of match; there"
                        + " are command, namespace, nth, connection, appName, where",
                "`- match: {nth: 0}\n"
                        + "  action: close` | plan.yaml, line 1: 'nth' must be a whole number from 1 on, not '0'",
                "`- match: {}\n"
                        + "  action: explode` | plan.yaml, line 2: unknown action 'explode'; there are close, reset,"
                        + " stall, delay, meet, drip, duplicate, stale, reorder, error, outage, blackhole,"
                        + " badhandshake, badcertificate, stepdown",
                "`- match: {}` | plan.yaml, line 1: a rule needs an 'action'",
                "`- action: {delay: soon}` | plan.yaml, line 1: a time must be like 200ms, 2s, 1m or forever, not"
                        + " 'soon'",
                "`- action: delay` | plan.yaml, line 1: 'delay' needs a time: {delay: 200ms}",
                "`- action: close\n"
                        + "  phase: later` | plan.yaml, line 1: unknown phase 'later'; there are before, within,"
                        + " afterApply, withinReply, duplicate",
                "`- action: close\n  phase: within` | plan.yaml, line 1: 'bytes' is needed with the phases within"
                        + " and withinReply, and only there",
                "`- action: close\n"
                        + "  phase: duplicate` | plan.yaml, line 1: phase duplicate is all that happens; it takes no"
                        + " 'action'",
                "`- action: {error: 8}\n"
                        + "  phase: within\n"
                        + "  bytes: 4` | plan.yaml, line 1: 'error 8' does not go with phase within, but with before,"
                        + " afterApply",
                "`- action: drip` | plan.yaml, line 1: 'drip' needs a time between two bytes: {drip: 50ms}",
                "`- action: {drip: {bytes: 7}}` | plan.yaml, line 1: 'drip' needs the time between two pieces, 'every'",
                "`- action: {error: {labels: [x]}}` | plan.yaml, line 1: an error needs a 'code'",
                "`- action: [close` | plan.yaml, line 1: not YAML: expected ',' or ']', but got <stream end>",
                "`- action: close\n"
                        + "- 7` | plan.yaml, line 2: a rule must be fields with values, such as 'command: insert'"
            })
    void complaintsNameTheLineAndWhatIsWrong(String text, String complaint) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(BadPlan.class).hasMessage(complaint);
    }
}
