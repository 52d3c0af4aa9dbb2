package dev.semel.query.regex;

import dev.semel.query.regex.Node.Greed;
import dev.semel.query.regex.Node.Place;
import dev.semel.query.regex.Node.Verb;
import dev.semel.query.regex.Program.Anchor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs a program on a text: continues as long as it matches, and returns to the last choice if not. What has to be tried or
 * undone then is on a separate stack, so that no text can exhaust the thread's.
 */
final class Machine {
    /** PCRE2's limit is 20 MB for the same. */
    private static final int BACKTRACK_BYTES_MAX = 1 << 24;

    /** Of one, beside its registers. */
    private static final int FRAME_BYTES = 64;

    private static final long STEPS_MAX = 20_000_000;
    private static final int STEPS_PER_CHARACTER = 4;
    private static final int CHECK_INTERVAL = 1 << 15;

    /** Characters that are compared in a loop for one step. */
    private static final int RUN_STEP_BITS = 3;

    private static final Pattern GRAPHEME = Pattern.compile("\\X");
    private static final Place[] PLACES = Place.values();
    private static final Verb[] VERBS = Verb.values();

    private static final int GREEDY = Greed.GREEDY.ordinal();
    private static final int LAZY = Greed.LAZY.ordinal();

    // What an entry of the stack is for; three operands each.
    private static final int ENTRY = 4;

    /** instruction, position */
    private static final int CHOICE = 0;
    /** register, what it held */
    private static final int REGISTER = 1;
    /** instruction, least position, position: one character fewer */
    private static final int SHORTER = 2;
    /** instruction, position, how many more: one character more */
    private static final int LONGER = 3;
    /** the frame before, how many frames there were */
    private static final int FRAME = 4;
    /** ordinal of a verb, position: not beyond here */
    private static final int BARRIER = 5;

    private final Program program;
    private final int[] code;
    private final String text;
    private final int length;
    private final Runnable checkpoint;
    private final int[] registers;
    private final List<Frame> frames = new ArrayList<>();
    private final long stepsMax;
    private int[] stack = new int[16 * ENTRY];
    private int height;
    private int frame = -1;
    private int at;
    private int instruction;
    private int searchStart;
    private long steps;

    /** Why a place was given up. */
    private Verb stopped = Verb.FAIL;

    private int skipTo;

    /** A group that was called. */
    private record Frame(int caller, int returnTo, int group, int[] registers, int position) {}

    Machine(Program program, String text, Runnable checkpoint) {
        this.program = program;
        this.code = program.code();
        this.text = text;
        this.length = text.length();
        this.checkpoint = checkpoint;
        this.registers = new int[program.registers()];
        this.stepsMax = STEPS_MAX + (long) STEPS_PER_CHARACTER * length;
    }

    int register(int register) {
        return registers[register];
    }

    /** The first match at or behind a position; afterwards the registers say where. */
    boolean find(int from) {
        searchStart = from;
        for (int start = candidate(from, from); start >= 0; start = candidate(start, from)) {
            Arrays.fill(registers, -1);
            height = 0;
            frames.clear();
            frame = -1;
            at = start;
            instruction = 0;
            registers[0] = start;
            stopped = Verb.FAIL;
            if (run()) {
                registers[1] = at;
                return true;
            }
            if (stopped == Verb.COMMIT || (program.anchor() == Anchor.TEXT)) {
                return false;
            }
            start = stopped == Verb.SKIP && skipTo > start ? skipTo : start < length ? next(start) : length + 1;
        }
        return false;
    }

    /**
     * Where to try after a place where nothing matched. A match that begins with a run of one set has tried from there whatever
     * the rest of the run could try, so that goes on behind the run.
     */
    private int next(int start) {
        int next = after(start);
        CharSet run = program.run();
        if (run != null && run.contains(text.codePointAt(start))) {
            int from = next;
            while (next < length && run.contains(text.codePointAt(next))) {
                next = after(next);
            }
            steps += (next - from) >> RUN_STEP_BITS;
        }
        return next;
    }

    private int after(int position) {
        return position + Character.charCount(text.codePointAt(position));
    }

    /** The next place where a match can begin, or -1. */
    private int candidate(int start, int from) {
        if (start > length) {
            return -1;
        }
        if (program.anchor() == Anchor.TEXT) {
            return start == 0 ? 0 : -1;
        }
        if (program.anchor() == Anchor.LINE && start > from && text.charAt(start - 1) != '\n') {
            int newline = text.indexOf('\n', start);
            return newline < 0 ? -1 : newline + 1;
        }
        if (!program.prefix().isEmpty()) {
            return text.indexOf(program.prefix(), start);
        }
        CharSet first = program.first();
        if (first == null) {
            return start;
        }
        for (int place = start; place < length; place = after(place)) {
            if (first.contains(text.codePointAt(place))) {
                return place;
            }
        }
        return -1;
    }

    // ---- one place

    private boolean run() {
        while (true) {
            if (++steps > stepsMax) {
                throw new RegexTooHard("match limit exceeded");
            }
            if (steps % CHECK_INTERVAL == 0) {
                checkpoint.run();
            }
            int pc = instruction;
            boolean matches = true;
            switch (code[pc]) {
                case Op.CHARACTER -> {
                    int c = code[pc + 1];
                    matches = at < length && text.charAt(at) == c;
                    at++;
                    instruction = pc + 2;
                }
                case Op.STRING -> {
                    String string = program.strings()[code[pc + 1]];
                    matches = text.startsWith(string, at);
                    at += string.length();
                    instruction = pc + 2;
                }
                case Op.SET -> {
                    matches = takes(program.sets()[code[pc + 1]]);
                    instruction = pc + 2;
                }
                case Op.RUN -> matches = runOf(pc);
                case Op.TRY -> {
                    push(CHOICE, code[pc + 1], at, 0);
                    instruction = pc + 2;
                }
                case Op.TRY_OTHER -> {
                    push(CHOICE, pc + 2, at, 0);
                    instruction = code[pc + 1];
                }
                case Op.JUMP -> instruction = code[pc + 1];
                case Op.SAVE -> {
                    set(code[pc + 1], at);
                    instruction = pc + 2;
                }
                case Op.CLOSE -> {
                    int group = code[pc + 1];
                    set(2 * group, registers[code[pc + 2]]);
                    set(2 * group + 1, at);
                    instruction = pc + 3;
                }
                case Op.ZERO -> {
                    set(code[pc + 1], 0);
                    instruction = pc + 2;
                }
                case Op.LOOP -> loop(pc);
                case Op.ROUND -> {
                    int counter = code[pc + 1];
                    if (counter >= 0) {
                        set(counter, registers[counter] + 1);
                    }
                    set(code[pc + 2], at);
                    instruction = pc + 3;
                }
                case Op.AGAIN -> {
                    int counter = code[pc + 1];
                    // A round that matched nothing would match nothing for ever.
                    boolean ends = registers[code[pc + 2]] == at && (counter < 0 || registers[counter] >= code[pc + 3]);
                    instruction = ends ? code[pc + 5] : code[pc + 4];
                }
                case Op.MARK -> {
                    push(REGISTER, code[pc + 1], registers[code[pc + 1]], 0);
                    registers[code[pc + 1]] = height;
                    instruction = pc + 2;
                }
                case Op.CUT -> {
                    cut(registers[code[pc + 1]]);
                    instruction = pc + 2;
                }
                case Op.RETURN_TO -> {
                    at = registers[code[pc + 1]];
                    instruction = pc + 2;
                }
                case Op.UNDO -> {
                    undo(registers[code[pc + 1]]);
                    instruction = pc + 2;
                }
                case Op.BACK -> {
                    matches = back(code[pc + 1]);
                    instruction = pc + 2;
                }
                case Op.AT -> {
                    matches = isAt(PLACES[code[pc + 1]]);
                    instruction = pc + 2;
                }
                case Op.SAME -> {
                    matches = same(program.lists()[code[pc + 1]], code[pc + 2] != 0);
                    instruction = pc + 3;
                }
                case Op.GRAPHEME -> {
                    matches = grapheme();
                    instruction = pc + 1;
                }
                case Op.CALL -> call(code[pc + 1], pc + 3, code[pc + 2]);
                case Op.RETURN -> returnToCaller();
                case Op.IF_SET -> instruction = isAnySet(program.lists()[code[pc + 1]]) ? pc + 3 : code[pc + 2];
                case Op.IF_CALLED -> instruction = isCalled(code[pc + 1]) ? pc + 3 : code[pc + 2];
                case Op.CONTROL -> {
                    push(BARRIER, code[pc + 1], at, 0);
                    instruction = pc + 2;
                }
                case Op.FAIL -> matches = false;
                case Op.MATCH -> {
                    if (frame < 0) {
                        return true;
                    }
                    // A verb that ends the match ends only the call in which it stands.
                    returnToCaller();
                }
                default -> throw new AssertionError(code[pc]);
            }
            if (!matches && !goBack()) {
                return false;
            }
        }
    }

    private boolean takes(CharSet set) {
        if (at >= length) {
            return false;
        }
        int c = text.codePointAt(at);
        at += Character.charCount(c);
        return set.contains(c);
    }

    private boolean runOf(int pc) {
        CharSet set = program.sets()[code[pc + 1]];
        int min = code[pc + 2];
        int max = code[pc + 3] == Node.UNLIMITED ? Integer.MAX_VALUE : code[pc + 3];
        int greed = code[pc + 4];
        int wanted = greed == LAZY ? min : max;
        int least = at;
        int count = 0;
        int position = at;
        while (count < wanted && position < length) {
            int c = text.codePointAt(position);
            if (!set.contains(c)) {
                break;
            }
            position += Character.charCount(c);
            if (++count <= min) {
                least = position;
            }
        }
        steps += count >> RUN_STEP_BITS;
        if (count < min) {
            return false;
        }
        if (greed == LAZY && max > min) {
            push(LONGER, pc, position, max - min);
        } else if (greed == GREEDY && position > least) {
            push(SHORTER, pc + 5, least, position);
        }
        at = position;
        instruction = pc + 5;
        return true;
    }

    private void loop(int pc) {
        int rounds = registers[code[pc + 1]];
        int max = code[pc + 3];
        int again = pc + 6;
        int end = code[pc + 5];
        if (rounds < code[pc + 2]) {
            instruction = again;
        } else if (rounds == max) {
            instruction = end;
        } else {
            boolean greedy = code[pc + 4] != 0;
            push(CHOICE, greedy ? end : again, at, 0);
            instruction = greedy ? again : end;
        }
    }

    private boolean back(int characters) {
        for (int i = 0; i < characters; i++) {
            if (at == 0) {
                return false;
            }
            at -= Character.charCount(text.codePointBefore(at));
        }
        return true;
    }

    private boolean isAt(Place place) {
        return switch (place) {
            case TEXT_START -> at == 0;
            case TEXT_END -> at == length;
            case TEXT_END_OR_LAST_NEWLINE -> at == length || (at == length - 1 && text.charAt(at) == '\n');
            case LINE_START -> at == 0 || (at < length && text.charAt(at - 1) == '\n');
            case LINE_END -> at == length || text.charAt(at) == '\n';
            case WORD_EDGE -> isWordEdge(false);
            case NO_WORD_EDGE -> !isWordEdge(false);
            case UNICODE_WORD_EDGE -> isWordEdge(true);
            case NO_UNICODE_WORD_EDGE -> !isWordEdge(true);
            case SEARCH_START -> at == searchStart;
        };
    }

    private boolean isWordEdge(boolean unicode) {
        boolean before = at > 0 && isWord(text.codePointBefore(at), unicode);
        boolean after = at < length && isWord(text.codePointAt(at), unicode);
        return before != after;
    }

    private static boolean isWord(int c, boolean unicode) {
        return unicode ? Classes.isUnicodeWord(c) : Classes.isWord(c);
    }

    private boolean same(int[] groups, boolean ignoresCase) {
        for (int group : groups) {
            if (isSet(group)) {
                return sameAs(registers[2 * group], registers[2 * group + 1], ignoresCase);
            }
        }
        return false;
    }

    private boolean sameAs(int start, int end, boolean ignoresCase) {
        steps += (end - start) >> RUN_STEP_BITS;
        if (!ignoresCase) {
            boolean same = text.regionMatches(start, text, at, end - start);
            at += end - start;
            return same;
        }
        for (int i = start; i < end; i = after(i)) {
            if (at >= length || Case.fold(text.codePointAt(i)) != Case.fold(text.codePointAt(at))) {
                return false;
            }
            at = after(at);
        }
        return true;
    }

    private boolean grapheme() {
        if (at >= length) {
            return false;
        }
        Matcher one = GRAPHEME.matcher(text).region(at, length).useTransparentBounds(true);
        at = one.lookingAt() ? one.end() : after(at);
        return true;
    }

    private boolean isSet(int group) {
        return group == 0 || registers[2 * group + 1] >= 0;
    }

    private boolean isAnySet(int[] groups) {
        for (int group : groups) {
            if (isSet(group)) {
                return true;
            }
        }
        return false;
    }

    // ---- groups that are called

    private void call(int group, int returnTo, int subroutine) {
        for (int i = frame; i >= 0 && frames.get(i).position == at; i = frames.get(i).caller) {
            if (frames.get(i).group == group) {
                throw new RegexTooHard("nested recursion at the same subject position");
            }
        }
        if (framesBytes() > BACKTRACK_BYTES_MAX) {
            throw new RegexTooHard("heap limit exceeded");
        }
        push(FRAME, frame, frames.size(), 0);
        frames.add(new Frame(frame, returnTo, group, registers.clone(), at));
        frame = frames.size() - 1;
        instruction = subroutine;
    }

    /** What the call has captured is forgotten; what it has left to try is not. */
    private void returnToCaller() {
        Frame ended = frames.get(frame);
        push(FRAME, frame, Integer.MAX_VALUE, 0);
        frame = ended.caller;
        for (int i = 1; i < registers.length; i++) {
            if (registers[i] != ended.registers[i]) {
                set(i, ended.registers[i]);
            }
        }
        instruction = ended.returnTo;
    }

    private boolean isCalled(int list) {
        if (frame < 0) {
            return false;
        }
        int group = frames.get(frame).group;
        return list < 0 || Arrays.stream(program.lists()[list]).anyMatch(each -> each == group);
    }

    // ---- back

    private void set(int register, int value) {
        push(REGISTER, register, registers[register], 0);
        registers[register] = value;
    }

    private void push(int kind, int first, int second, int third) {
        if (height + ENTRY > stack.length) {
            grow();
        }
        stack[height] = kind;
        stack[height + 1] = first;
        stack[height + 2] = second;
        stack[height + 3] = third;
        height += ENTRY;
    }

    private long framesBytes() {
        return (long) frames.size() * (FRAME_BYTES + registers.length * Integer.BYTES);
    }

    private void grow() {
        if (2L * stack.length * Integer.BYTES + framesBytes() > BACKTRACK_BYTES_MAX) {
            throw new RegexTooHard("heap limit exceeded");
        }
        stack = Arrays.copyOf(stack, 2 * stack.length);
    }

    /** To the last choice that is left; false if there is none. */
    private boolean goBack() {
        while (height > 0) {
            height -= ENTRY;
            int first = stack[height + 1];
            int second = stack[height + 2];
            switch (stack[height]) {
                case CHOICE -> {
                    instruction = first;
                    at = second;
                    return true;
                }
                case SHORTER -> {
                    if (shorter(first, second, stack[height + 3])) {
                        return true;
                    }
                }
                case LONGER -> {
                    if (longer(first, second, stack[height + 3])) {
                        return true;
                    }
                }
                case BARRIER -> {
                    stopped = VERBS[first];
                    skipTo = second;
                    return false;
                }
                default -> restore();
            }
        }
        return false;
    }

    private boolean shorter(int then, int least, int position) {
        int next = position - 1;
        if (next > least && Character.isLowSurrogate(text.charAt(next))) {
            next--;
        }
        if (code[then] == Op.CHARACTER) {
            // Only where the character that must follow is.
            int c = code[then + 1];
            int from = next;
            while (next > least && text.charAt(next) != c) {
                next--;
            }
            steps += (from - next) >> RUN_STEP_BITS;
        }
        if (next > least) {
            push(SHORTER, then, least, next);
        }
        at = next;
        instruction = then;
        return true;
    }

    private boolean longer(int pc, int position, int more) {
        at = position;
        if (!takes(program.sets()[code[pc + 1]])) {
            return false;
        }
        if (more > 1) {
            push(LONGER, pc, at, more == Integer.MAX_VALUE ? more : more - 1);
        }
        instruction = pc + 5;
        return true;
    }

    /** What the entry above the stack's top says of registers and frames. */
    private void restore() {
        if (stack[height] == REGISTER) {
            registers[stack[height + 1]] = stack[height + 2];
        } else if (stack[height] == FRAME) {
            frame = stack[height + 1];
            int count = stack[height + 2];
            if (count < frames.size()) {
                frames.subList(count, frames.size()).clear();
            }
        }
    }

    private void undo(int to) {
        while (height > to) {
            height -= ENTRY;
            restore();
        }
    }

    /** No choice above it remains, but what would have to be undone does. */
    private void cut(int to) {
        int kept = to;
        for (int i = to; i < height; i += ENTRY) {
            if (stack[i] == REGISTER || stack[i] == FRAME) {
                System.arraycopy(stack, i, stack, kept, ENTRY);
                kept += ENTRY;
            }
        }
        steps += (height - to) >> RUN_STEP_BITS;
        height = kept;
    }
}
