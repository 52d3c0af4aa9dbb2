package dev.semel.blackpipe.fault;

import dev.semel.blackpipe.message.Match;

/**
 * One line of a plan.
 *
 * @param nth the first of the matching requests that is struck, counted from 1
 * @param times how many are struck from there on; {@link #ALWAYS} for all
 * @param atByte with {@link Phase#WITHIN}: how many bytes of the request the server sees
 */
public record Rule(Match match, int nth, int times, Phase phase, int atByte, Action action) {
    public static final int ALWAYS = Integer.MAX_VALUE;

    public Rule {
        if (nth < 1 || times < 1 || atByte < 0) {
            throw new IllegalArgumentException("nth and times begin at 1, bytes at 0");
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

    boolean strikes(long count) {
        return count >= nth && count - nth < times;
    }

    /** What happens and when, without to whom. */
    public String fault() {
        return switch (phase) {
            case DUPLICATE -> phase.label();
            case WITHIN -> phase.label() + " byte " + atByte + ": " + action;
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
