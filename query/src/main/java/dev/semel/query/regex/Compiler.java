package dev.semel.query.regex;

import dev.semel.query.regex.Node.Condition;
import dev.semel.query.regex.Node.Greed;
import dev.semel.query.regex.Node.Look;
import dev.semel.query.regex.Node.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Turns a parsed expression into a program. */
final class Compiler {
    private final Parsed pattern;
    private final Lengths lengths;
    private final List<CharSet> sets = new ArrayList<>();
    private final List<String> strings = new ArrayList<>();
    private final List<int[]> lists = new ArrayList<>();

    /** Where a group's subroutine begins, and the calls whose targets have yet to be filled in. */
    private final Map<Integer, Integer> subroutines = new HashMap<>();

    private final Map<Integer, List<Integer>> calls = new HashMap<>();
    private int[] code = new int[64];
    private int size;
    private int registers;

    private Compiler(Parsed pattern) {
        this.pattern = pattern;
        this.lengths = new Lengths(pattern);
        this.registers = 3 * (pattern.groups() + 1);
    }

    static Program compile(Parsed pattern) {
        Compiler compiler = new Compiler(pattern);
        compiler.emit(pattern.root());
        compiler.add(Op.MATCH);
        compiler.subroutines();
        Beginnings beginnings = new Beginnings(pattern);
        return new Program(
                Arrays.copyOf(compiler.code, compiler.size),
                compiler.sets.toArray(CharSet[]::new),
                compiler.strings.toArray(String[]::new),
                compiler.lists.toArray(int[][]::new),
                compiler.registers,
                pattern.groups(),
                beginnings.anchor(),
                beginnings.prefix(),
                beginnings.first(),
                beginnings.run());
    }

    /** Those that are called; emitting one may call others. */
    private void subroutines() {
        while (!subroutines.keySet().containsAll(calls.keySet())) {
            for (int group : List.copyOf(calls.keySet())) {
                if (!subroutines.containsKey(group)) {
                    subroutines.put(group, size);
                    Node body = pattern.bodies().get(group);
                    emit(body == null ? new Node.Control(Node.Verb.FAIL) : body);
                    add(Op.RETURN);
                }
            }
        }
        subroutines.forEach(
                (group, start) -> calls.getOrDefault(group, List.of()).forEach(place -> code[place] = start));
    }

    // ---- code

    private int add(int... instruction) {
        if (size + instruction.length > code.length) {
            code = Arrays.copyOf(code, Math.max(code.length * 2, size + instruction.length));
        }
        System.arraycopy(instruction, 0, code, size, instruction.length);
        size += instruction.length;
        return size - instruction.length;
    }

    private int set(CharSet set) {
        sets.add(set);
        return sets.size() - 1;
    }

    private int list(List<Integer> groups) {
        lists.add(groups.stream().mapToInt(Integer::intValue).toArray());
        return lists.size() - 1;
    }

    private int opening(int group) {
        return 2 * (pattern.groups() + 1) + group;
    }

    private void emit(Node node) {
        switch (node) {
            case Node.Sequence(List<Node> parts) -> sequence(parts);
            case Node.Choice(List<Node> branches) ->
                choice(branches.stream().<Part>map(each -> () -> emit(each)).toList());
            case Node.Literal(int c) -> literal(new StringBuilder().appendCodePoint(c));
            case Node.OneOf(CharSet set) -> add(Op.SET, set(set));
            case Node.Repeat repeat -> repeat(repeat);
            case Node.Capture(int group, Node body) -> {
                add(Op.SAVE, opening(group));
                emit(body);
                add(Op.CLOSE, group, opening(group));
            }
            case Node.Close(int group) -> add(Op.CLOSE, group, opening(group));
            case Node.Atomic(Node body) -> {
                int mark = registers++;
                add(Op.MARK, mark);
                emit(body);
                add(Op.CUT, mark);
            }
            case Look look -> look(look);
            case Node.At(Node.Place place) -> add(Op.AT, place.ordinal());
            case Node.BackReference(Reference group, boolean ignoresCase) ->
                add(Op.SAME, list(pattern.groups(group)), ignoresCase ? 1 : 0);
            case Node.Call(Reference group) -> call(pattern.groups(group).getFirst());
            case Node.Conditional conditional -> conditional(conditional);
            case Node.Keep() -> add(Op.SAVE, 0);
            case Node.Grapheme() -> add(Op.GRAPHEME);
            case Node.Control(Node.Verb verb) -> {
                switch (verb) {
                    case FAIL -> add(Op.FAIL);
                    case ACCEPT -> add(Op.MATCH);
                    case COMMIT, PRUNE, SKIP -> add(Op.CONTROL, verb.ordinal());
                }
            }
        }
    }

    private interface Part {
        void emit();
    }

    /** Characters in a row are compared at once. */
    private void sequence(List<Node> parts) {
        StringBuilder literal = new StringBuilder();
        for (Node part : parts) {
            if (part instanceof Node.Literal(int c)) {
                literal.appendCodePoint(c);
            } else {
                literal(literal);
                emit(part);
            }
        }
        literal(literal);
    }

    private void literal(StringBuilder literal) {
        if (literal.length() == 1) {
            add(Op.CHARACTER, literal.charAt(0));
        } else if (!literal.isEmpty()) {
            strings.add(literal.toString());
            add(Op.STRING, strings.size() - 1);
        }
        literal.setLength(0);
    }

    private void choice(List<Part> branches) {
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < branches.size(); i++) {
            boolean last = i == branches.size() - 1;
            int attempt = last ? -1 : add(Op.TRY, 0);
            branches.get(i).emit();
            if (!last) {
                ends.add(add(Op.JUMP, 0) + 1);
                code[attempt + 1] = size;
            }
        }
        ends.forEach(end -> code[end] = size);
    }

    // ---- repetitions

    private void repeat(Node.Repeat repeat) {
        if (repeat.max() == 0) {
            return;
        }
        if (repeat.body() instanceof Node.Literal(int c)) {
            run(CharSet.of(any -> any == c), repeat);
        } else if (repeat.body() instanceof Node.OneOf(CharSet set)) {
            run(set, repeat);
        } else if (repeat.greed() == Greed.POSSESSIVE) {
            emit(new Node.Atomic(new Node.Repeat(repeat.body(), repeat.min(), repeat.max(), Greed.GREEDY)));
        } else if (repeat.min() == 1 && repeat.max() == 1) {
            emit(repeat.body());
        } else if (repeat.min() == 0 && repeat.max() == 1) {
            int attempt = add(repeat.greed() == Greed.GREEDY ? Op.TRY : Op.TRY_OTHER, 0);
            emit(repeat.body());
            code[attempt + 1] = size;
        } else {
            loop(repeat);
        }
    }

    private void run(CharSet set, Node.Repeat repeat) {
        add(Op.RUN, set(set), repeat.min(), repeat.max(), repeat.greed().ordinal());
    }

    private void loop(Node.Repeat repeat) {
        boolean counts = repeat.min() > 0 || repeat.max() != Node.UNLIMITED;
        boolean greedy = repeat.greed() == Greed.GREEDY;
        int counter = counts ? registers++ : -1;
        int position = registers++;
        if (counts) {
            add(Op.ZERO, counter);
        }
        int loop = counts
                ? add(Op.LOOP, counter, repeat.min(), repeat.max(), greedy ? 1 : 0, 0)
                : add(greedy ? Op.TRY : Op.TRY_OTHER, 0);
        int end = size - 1;
        add(Op.ROUND, counter, position);
        emit(repeat.body());
        int again = add(Op.AGAIN, counter, position, repeat.min(), loop, 0);
        code[again + 5] = size;
        code[end] = size;
    }

    // ---- assertions

    private void look(Look look) {
        int mark = registers++;
        int position = registers++;
        if (look.negative()) {
            add(Op.MARK, mark);
            int attempt = add(Op.TRY, 0);
            body(look);
            add(Op.UNDO, mark);
            add(Op.FAIL);
            code[attempt + 1] = size;
        } else {
            add(Op.SAVE, position);
            add(Op.MARK, mark);
            body(look);
            add(Op.CUT, mark);
            add(Op.RETURN_TO, position);
        }
    }

    /** Looking behind, each branch begins as far back as it is long. */
    private void body(Look look) {
        if (look.ahead()) {
            emit(look.body());
            return;
        }
        List<Node> branches = look.body() instanceof Node.Choice(List<Node> all) ? all : List.of(look.body());
        choice(branches.stream()
                .<Part>map(branch -> () -> {
                    add(Op.BACK, lengths.fixed(branch));
                    emit(branch);
                })
                .toList());
    }

    private void call(int group) {
        int place = add(Op.CALL, group, 0) + 2;
        calls.computeIfAbsent(group, any -> new ArrayList<>()).add(place);
    }

    // ---- conditions

    private void conditional(Node.Conditional conditional) {
        switch (conditional.condition()) {
            case Condition.Define() -> calledOnly(conditional.then());
            case Condition.IsSet(Reference group) ->
                branches(add(Op.IF_SET, list(pattern.groups(group)), 0) + 2, conditional);
            case Condition.InCall(var group) ->
                branches(add(Op.IF_CALLED, group == null ? -1 : list(pattern.groups(group)), 0) + 2, conditional);
            case Condition.Assertion(Look look) -> asserted(look, conditional);
        }
    }

    /** Emitted where something calls it, but what it refers to must exist in any case. */
    private void calledOnly(Node branch) {
        int over = add(Op.JUMP, 0) + 1;
        emit(branch);
        code[over] = size;
    }

    /** @param otherwise where the target of a condition that does not hold is written */
    private void branches(int otherwise, Node.Conditional conditional) {
        emit(conditional.then());
        int end = add(Op.JUMP, 0) + 1;
        code[otherwise] = size;
        emit(conditional.otherwise());
        code[end] = size;
    }

    private void asserted(Look look, Node.Conditional conditional) {
        int mark = registers++;
        int position = registers++;
        Node found = look.negative() ? conditional.otherwise() : conditional.then();
        Node notFound = look.negative() ? conditional.then() : conditional.otherwise();
        add(Op.SAVE, position);
        add(Op.MARK, mark);
        int attempt = add(Op.TRY, 0) + 1;
        body(look);
        add(look.negative() ? Op.UNDO : Op.CUT, mark);
        add(Op.RETURN_TO, position);
        emit(found);
        int end = add(Op.JUMP, 0) + 1;
        code[attempt] = size;
        emit(notFound);
        code[end] = size;
    }
}
