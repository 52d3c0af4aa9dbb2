package dev.semel.query.regex;

/** Instructions of a {@link Program}, each followed by its operands. */
final class Op {
    /** character */
    static final int CHARACTER = 0;
    /** string */
    static final int STRING = 1;
    /** set */
    static final int SET = 2;
    /** set, min, max, greed: one character of the set again and again */
    static final int RUN = 3;
    /** other: goes on, and there when that fails */
    static final int TRY = 4;
    /** other: goes there, and on when that fails */
    static final int TRY_OTHER = 5;
    /** target */
    static final int JUMP = 6;
    /** register: keeps the position */
    static final int SAVE = 7;
    /** group, register of its beginning */
    static final int CLOSE = 8;
    /** register: sets it to 0 */
    static final int ZERO = 9;
    /** counter, min, max, greedy, end: another round or not */
    static final int LOOP = 10;
    /** counter or -1, register of the position: a round begins */
    static final int ROUND = 11;
    /** counter or -1, register of the position, min, loop, end: a round has ended */
    static final int AGAIN = 12;
    /** register: keeps the height of the stack */
    static final int MARK = 13;
    /** register: forgets the choices since the mark */
    static final int CUT = 14;
    /** register: back to the position that it keeps */
    static final int RETURN_TO = 15;
    /** register: undoes what was done since the mark */
    static final int UNDO = 16;
    /** number of characters */
    static final int BACK = 17;
    /** ordinal of a place */
    static final int AT = 18;
    /** list of groups, ignoring case */
    static final int SAME = 19;

    static final int GRAPHEME = 20;
    /** group, subroutine */
    static final int CALL = 21;

    static final int RETURN = 22;
    /** list of groups, target if none is set */
    static final int IF_SET = 23;
    /** list of groups or -1 for any, target if not called */
    static final int IF_CALLED = 24;
    /** ordinal of a verb that is passed */
    static final int CONTROL = 25;

    static final int FAIL = 26;
    static final int MATCH = 27;

    private Op() {}
}
