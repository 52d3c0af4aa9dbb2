package dev.semel.cli.isolation;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Something that could not happen if the clients ran one after the other, and what they do to bring it about. There are
 * documents 1 and 2, each with {@code v: 0}, and none in the group.
 *
 * @param script what the clients do, in turn
 * @param happened asked when all have ended
 */
record Anomaly(String name, String description, Script script, Predicate<Result> happened) {

    interface Script {
        void run(Stage stage);
    }

    /** What is left, and what the clients have been told; null for a client whose transaction failed. */
    record Result(int first, int second, List<@Nullable List<Integer>> seen) {
        boolean allSucceeded() {
            return seen.stream().allMatch(each -> each != null);
        }

        int seen(int client, int read) {
            List<Integer> reads = seen.get(client);
            return reads == null || reads.size() <= read ? -1 : reads.get(read);
        }
    }

    static final List<Anomaly> ALL = List.of(
            new Anomaly(
                    "dirty read",
                    "a client sees what is rolled back afterwards",
                    stage -> {
                        Actor writer = stage.writer();
                        Actor reader = stage.actor();
                        stage.step(writer, actor -> actor.set(1, 7));
                        stage.step(reader, actor -> actor.read(1));
                        stage.step(writer, Actor::rollback);
                        stage.step(reader, Actor::commit);
                    },
                    result -> result.seen(1, 0) == 7),
            new Anomaly(
                    "non-repeatable read",
                    "two reads of one document in one transaction differ",
                    stage -> {
                        Actor reader = stage.actor();
                        Actor writer = stage.actor();
                        stage.step(reader, actor -> actor.read(1));
                        stage.step(writer, actor -> actor.set(1, 7));
                        stage.step(writer, Actor::commit);
                        stage.step(reader, actor -> actor.read(1));
                        stage.step(reader, Actor::commit);
                    },
                    result -> result.seen(0, 1) == 7),
            new Anomaly(
                    "phantom",
                    "a repeated query of one transaction finds a document that it did not find before",
                    stage -> {
                        Actor reader = stage.actor();
                        Actor writer = stage.actor();
                        stage.step(reader, Actor::count);
                        stage.step(writer, actor -> actor.insertIntoGroup(9));
                        stage.step(writer, Actor::commit);
                        stage.step(reader, Actor::count);
                        stage.step(reader, Actor::commit);
                    },
                    result -> result.seen(0, 1) == 1),
            new Anomaly(
                    "lost update",
                    "two transactions read a value, and each writes what it has computed from it",
                    stage -> {
                        Actor one = stage.actor();
                        Actor other = stage.actor();
                        stage.step(one, actor -> actor.read(1));
                        stage.step(other, actor -> actor.read(1));
                        stage.step(one, actor -> actor.set(1, 1));
                        stage.step(one, Actor::commit);
                        stage.step(other, actor -> actor.set(1, 1));
                        stage.step(other, Actor::commit);
                    },
                    Result::allSucceeded),
            new Anomaly(
                    "lost `$inc`",
                    "the same with `$inc`, which needs no read",
                    stage -> {
                        Actor one = stage.actor();
                        Actor other = stage.actor();
                        stage.step(one, actor -> actor.read(2));
                        stage.step(other, actor -> actor.read(2));
                        stage.step(one, actor -> actor.increment(1));
                        stage.step(other, actor -> actor.increment(1));
                        stage.step(one, Actor::commit);
                        stage.step(other, Actor::commit);
                    },
                    result -> result.allSucceeded() && result.first() != 2),
            new Anomaly(
                    "write skew",
                    "two transactions read both documents, and each changes a different one",
                    stage -> {
                        Actor one = stage.actor();
                        Actor other = stage.actor();
                        for (Actor each : List.of(one, other)) {
                            stage.step(each, actor -> actor.read(1));
                            stage.step(each, actor -> actor.read(2));
                        }
                        stage.step(one, actor -> actor.set(1, -1));
                        stage.step(other, actor -> actor.set(2, -1));
                        stage.step(one, Actor::commit);
                        stage.step(other, Actor::commit);
                    },
                    Result::allSucceeded),
            new Anomaly(
                    "read-only anomaly",
                    "two writers could have run one after the other, but what a third has read fits neither order",
                    stage -> {
                        Actor withdrawal = stage.actor();
                        Actor deposit = stage.actor();
                        Actor report = stage.actor();
                        stage.step(withdrawal, actor -> actor.read(1));
                        stage.step(withdrawal, actor -> actor.read(2));
                        stage.step(deposit, actor -> actor.set(2, 20));
                        stage.step(deposit, Actor::commit);
                        stage.step(report, actor -> actor.read(1));
                        stage.step(report, actor -> actor.read(2));
                        stage.step(report, Actor::commit);
                        stage.step(withdrawal, actor -> actor.set(1, -11));
                        stage.step(withdrawal, Actor::commit);
                    },
                    result -> result.allSucceeded() && result.seen(2, 0) == 0 && result.seen(2, 1) == 20));
}
