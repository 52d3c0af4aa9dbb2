package dev.semel.cli.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A line that was typed. */
sealed interface Typed {
    int TIMES_MAX = 99;
    String PRIMARY = "primary";

    record Quit() implements Typed {}

    record Status() implements Typed {}

    record RestartAll() implements Typed {}

    record KillPrimary(int times) implements Typed {}

    /** To whichever member is the primary. */
    record ToPrimary(Action action) implements Typed {}

    /** To a member, from 0. */
    record ToMember(Action action, int member) implements Typed {}

    record Wrong(String why) implements Typed {}

    enum Action {
        KILL,
        STOP,
        PAUSE,
        RESUME,
        RESTART,
        PARTITION,
        HEAL;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isPossible(LocalSet.State state) {
            return switch (this) {
                case KILL -> state != LocalSet.State.STOPPED;
                case STOP, PAUSE -> state == LocalSet.State.RUNNING;
                case RESUME -> state == LocalSet.State.PAUSED;
                case RESTART -> state == LocalSet.State.STOPPED;
                // A process that is started later is told.
                case PARTITION, HEAL -> true;
            };
        }

        static Optional<Action> of(String word) {
            return Arrays.stream(values())
                    .filter(each -> each.word().equals(word))
                    .findAny();
        }
    }

    /** Of somebody who sees so many members. */
    static Typed parse(String line, int members) {
        var words = List.of(line.strip().split("\\s+", -1));
        var action = Action.of(words.getFirst());
        if (action.isPresent()) {
            return parse(action.get(), words, members);
        }
        Typed alone = switch (words.getFirst()) {
            case "quit" -> new Quit();
            case "status" -> new Status();
            default ->
                new Wrong("unknown command %s: there are status, quit, and, with a member, %s"
                        .formatted(
                                words.getFirst(),
                                Arrays.stream(Action.values()).map(Action::word).collect(Collectors.joining(", "))));
        };
        return words.size() > 1 && !(alone instanceof Wrong)
                ? new Wrong("%s takes nothing behind it".formatted(words.getFirst()))
                : alone;
    }

    private static Typed parse(Action action, List<String> words, int members) {
        if (words.equals(List.of("restart", "all"))) {
            return new RestartAll();
        }
        if (words.size() == 3 && action == Action.KILL && words.get(1).equals(PRIMARY)) {
            return number(words.get(2), TIMES_MAX)
                    .<Typed>map(KillPrimary::new)
                    .orElseGet(() -> new Wrong(
                            "kill primary %s: it can be killed 1 to %d times".formatted(words.get(2), TIMES_MAX)));
        }
        if (words.size() != 2) {
            return new Wrong("%s needs one member: its number, 1 to %d, or primary".formatted(action.word(), members));
        }
        if (words.get(1).equals(PRIMARY)) {
            return new ToPrimary(action);
        }
        return number(words.get(1), members)
                .<Typed>map(number -> new ToMember(action, number - 1))
                .orElseGet(() -> new Wrong("no member %s: members are 1 to %d".formatted(words.get(1), members)));
    }

    private static Optional<Integer> number(String word, int max) {
        return Optional.of(word)
                .filter(each -> each.matches("[1-9][0-9]?"))
                .map(Integer::valueOf)
                .filter(each -> each <= max);
    }
}
