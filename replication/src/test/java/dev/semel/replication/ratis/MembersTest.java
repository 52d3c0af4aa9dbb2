package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replication.Completion;
import dev.semel.replication.Membership;
import dev.semel.replication.Outcome;
import dev.semel.replication.RoleView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members are added, promoted and removed, and leadership moves, while entries are written. */
class MembersTest {
    private static final Completion DONE = new Completion.Done();

    @TempDir
    Path folder;

    @Test
    void learnerCatchesUpIsPromotedAndCounts() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var written = set.writeMany("before ", 20);
            var leader = set.leader();
            var voters = set.all().voters();
            var added = set.add("d");
            set.start("d", Membership.joining(added));

            var withLearner = new Membership(voters, List.of(added));
            assertThat(LocalSet.get(set.engine(leader).changeMembers(withLearner)))
                    .isEqualTo(DONE);
            set.awaitEntries("d", written);
            assertThat(set.engine("d").role().role()).isEqualTo(RoleView.Role.LEARNER);
            LocalSet.await("the members", () -> set.state("d").membership().equals(withLearner));

            assertThat(LocalSet.get(set.engine(leader).changeMembers(set.all())))
                    .isEqualTo(DONE);
            LocalSet.await("promotion", () -> set.engine("d").role().role() == RoleView.Role.FOLLOWER);
            written.addAll(set.writeMany("after ", 20));
            set.awaitEntries("d", written);

            // Of four voters, three are needed: without d nothing could be written.
            set.kill(set.followers(leader).getFirst());
            written.addAll(set.writeMany("last ", 5));
            set.awaitEntries("d", written);
        }
    }

    @Test
    void learnerIsNeverElectedAndDoesNotCount() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            var voters = set.all().voters();
            var added = set.add("d");
            set.start("d", Membership.joining(added));
            assertThat(LocalSet.get(set.engine(leader).changeMembers(new Membership(voters, List.of(added)))))
                    .isEqualTo(DONE);
            var written = set.writeMany("entry ", 5);
            set.awaitEntries("d", written);
            set.kill(leader);
            assertThat(set.leader(leader)).isNotEqualTo("d");
            written.addAll(set.writeMany("later ", 5));
            set.awaitEntries("d", written);
        }
    }

    @Test
    void setOfOneGrowsToThreeAndShrinksWhileEntriesAreWritten() throws Exception {
        try (var set = LocalSet.empty(folder)) {
            set.start("a", Membership.of(set.add("a")));
            try (var writer = new Writer(set)) {
                for (String name : List.of("b", "c")) {
                    set.start(name, Membership.joining(set.add(name)));
                    assertThat(LocalSet.get(set.engine(set.leader()).changeMembers(set.all())))
                            .isEqualTo(DONE);
                }
                var leader = set.leader();
                var removed = set.followers(leader).getFirst();
                set.members.remove(removed);
                assertThat(LocalSet.get(set.engine(leader).changeMembers(set.all())))
                        .isEqualTo(DONE);
                set.stop(removed);
                writer.stop();
                set.write("end");
                writer.check(set, set.names());
            }
        }
    }

    @Test
    void transferLosesNothingThatWasAcknowledged() throws Exception {
        try (var set = LocalSet.ofThree(folder);
                var writer = new Writer(set)) {
            for (int round = 0; round < 3; round++) {
                var leader = set.leader();
                assertThat(LocalSet.get(set.engine(leader).transferLeadership(null, Duration.ofSeconds(10))))
                        .isEqualTo(DONE);
                assertThat(set.leader(leader)).isNotEqualTo(leader);
            }
            writer.stop();
            set.write("end");
            writer.check(set, set.names());
        }
    }

    @Test
    void transferGoesToTheMemberThatWasNamed() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            var target = set.followers(leader).getLast();
            assertThat(LocalSet.get(set.engine(leader).transferLeadership(target, Duration.ofSeconds(10))))
                    .isEqualTo(DONE);
            assertThat(set.leader(leader)).isEqualTo(target);
            LocalSet.await("the event", () -> set.state(leader).events().contains("not writable"));
            assertThat(LocalSet.get(set.engine(leader).transferLeadership(leader, Duration.ofSeconds(1))))
                    .isInstanceOf(Completion.Failed.class);
            assertThat(LocalSet.get(set.engine(target).transferLeadership("nobody", Duration.ofSeconds(1))))
                    .isInstanceOf(Completion.Failed.class);
        }
    }

    @Test
    void memberOfHigherPriorityTakesOver() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            var preferred = set.followers(leader).getFirst();
            set.members.computeIfPresent(preferred, (name, member) -> member.withPriority(5));
            assertThat(LocalSet.get(set.engine(leader).changeMembers(set.all())))
                    .isEqualTo(DONE);
            LocalSet.await(
                    "the preferred leader", () -> set.engine(preferred).role().isWritable());
            assertThat(set.engine(preferred).role().membership().voters())
                    .containsExactlyInAnyOrderElementsOf(set.members.values());
        }
    }

    /** Writes one entry after another to whoever leads. */
    private static final class Writer implements AutoCloseable {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final List<String> acknowledged = new ArrayList<>();
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Future<?> done;

        Writer(LocalSet set) {
            done = thread.submit(() -> {
                for (int i = 0; !stopped.get(); i++) {
                    if (LocalSet.get(set.propose(set.leader(), "entry " + i)) instanceof Outcome.Applied) {
                        acknowledged.add("entry " + i);
                    }
                }
            });
        }

        void stop() {
            stopped.set(true);
            LocalSet.get(done);
        }

        void check(LocalSet set, List<String> members) {
            assertThat(acknowledged).isNotEmpty();
            var entries = set.state(set.leader()).entries();
            assertThat(entries).doesNotHaveDuplicates().containsSubsequence(acknowledged);
            members.forEach(name -> set.awaitEntries(name, entries));
        }

        @Override
        public void close() {
            stopped.set(true);
            thread.shutdown();
        }
    }
}
