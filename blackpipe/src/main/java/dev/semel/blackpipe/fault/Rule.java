package dev.semel.blackpipe.fault;

import dev.semel.blackpipe.message.Match;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * One rule of a plan.
 *
 * @param nth the first of the matching requests that gets the fault, counted from 1
 * @param times how many requests get it from there on; {@link #ALWAYS} for all
 * @param atByte with {@link Phase#WITHIN} and {@link Phase#WITHIN_REPLY}: how many bytes of the message arrive
 */
public record Rule(Match match, int nth, int times, Phase phase, int atByte, Action action) {
    public static final int ALWAYS = Integer.MAX_VALUE;

    public Rule {
        if (nth < 1 || times < 1 || atByte < 0) {
            throw new IllegalArgumentException("nth and times begin at 1, bytes at 0");
        }
        if (!action.goesWith(phase)) {
            throw new IllegalArgumentException(misplaced(action, phase));
        }
    }

    /** The first matching request, once. */
    public static Rule of(Match match, Phase phase, Action action) {
        return new Rule(match, 1, 1, phase, 0, action);
    }

    public Rule nth(int chosen) {
        return new Rule(match, chosen, times, phase, atByte, action);
    }

    public Rule times(int chosen) {
        return new Rule(match, nth, chosen, phase, atByte, action);
    }

    public Rule atByte(int chosen) {
        return new Rule(match, nth, times, phase, chosen, action);
    }

    boolean isInjectedAt(long count) {
        return count >= nth && count - nth < times;
    }

    /** The error for a rule with this action in this phase. */
    static String misplaced(Action action, Phase phase) {
        String phases = Arrays.stream(Phase.values())
                .filter(action::goesWith)
                .map(Phase::label)
                .collect(Collectors.joining(", "));
        return "'" + action + "' does not go with phase " + phase.label() + ", but with " + phases;
    }

    /** The phase and the action, without the match. */
    public String fault() {
        return switch (phase) {
            case DUPLICATE -> phase.label();
            case WITHIN, WITHIN_REPLY -> phase.label() + " byte " + atByte + ": " + action;
            case BEFORE, AFTER_APPLY -> phase.label() + ": " + action;
        };
    }

    @Override
    public String toString() {
        String which = nth == 1 && times == 1
                ? ""
                : times == 1
                        ? ", number " + nth
                        : times == ALWAYS
                                ? ", from number " + nth + " on"
                                : ", numbers " + nth + " to " + (nth + times - 1);
        return match + which + " -> " + fault();
    }
}
