package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.replication.Outcome;
import dev.semel.replication.Position;
import dev.semel.replication.RoleView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A set of three, undisturbed; the tests share it and add to what is there. */
class ReplicationTest {
    @TempDir
    static Path folder;

    private static LocalSet set;

    @BeforeAll
    static void start() throws Exception {
        set = LocalSet.ofThree(folder);
    }

    @AfterAll
    static void close() {
        set.close();
    }

    @Test
    void orderOfCallsIsTheOrderOnAllMembers() {
        var leader = set.leader();
        var expected = new ArrayList<>(set.state(leader).entries());
        var outcomes = new ArrayList<Future<Outcome>>();
        for (int i = 0; i < 1000; i++) {
            expected.add("entry " + i);
            outcomes.add(set.propose(leader, "entry " + i));
        }
        var positions = outcomes.stream()
                .map(LocalSet::get)
                .map(outcome -> ((Outcome.Applied) outcome).position())
                .toList();
        assertThat(positions).isSorted().doesNotHaveDuplicates();
        assertThat(set.state(leader).entries()).isEqualTo(expected);
        assertThat(set.state(leader).applied()).isEqualTo(positions.getLast());
        set.names().forEach(name -> set.awaitEntries(name, expected));
    }

    @Test
    void appliedIsOnTheLeaderWhenTheOutcomeIsKnown() {
        var leader = set.leader();
        for (int i = 0; i < 50; i++) {
            assertThat(LocalSet.get(set.propose(leader, "known " + i))).isInstanceOf(Outcome.Applied.class);
            assertThat(set.state(leader).entries().getLast()).isEqualTo("known " + i);
        }
    }

    @Test
    void onlyTheLeaderOfTheTermAccepts() {
        var leader = set.leader();
        var before = set.state(leader).entries();
        long term = set.state(leader).writableTerm();
        var entry = new byte[] {'x'};
        for (String follower : set.followers(leader)) {
            assertThat(LocalSet.get(set.engine(follower).propose(entry, term))).isInstanceOf(Outcome.NotWritable.class);
            assertThat(LocalSet.get(set.engine(follower).barrier())).isInstanceOf(Outcome.NotWritable.class);
        }
        assertThat(LocalSet.get(set.engine(leader).propose(entry, term - 1))).isInstanceOf(Outcome.NotWritable.class);
        assertThat(LocalSet.get(set.engine(leader).propose(entry, term + 1))).isInstanceOf(Outcome.NotWritable.class);
        assertThat(LocalSet.get(set.engine(leader).barrier())).isInstanceOf(Outcome.Applied.class);
        assertThat(set.state(leader).entries()).isEqualTo(before);
    }

    @Test
    void barriersAreSharedAndAreNoEntries() {
        var leader = set.leader();
        var expected = new ArrayList<>(set.state(leader).entries());
        var barriers = new ArrayList<Future<Outcome>>();
        for (int i = 0; i < 100; i++) {
            barriers.add(set.engine(leader).barrier());
        }
        var outcomes = barriers.stream().map(LocalSet::get).toList();
        assertThat(outcomes).allMatch(Outcome.Applied.class::isInstance);
        assertThat(outcomes.stream().distinct().count()).isLessThan(100);
        set.write("after");
        expected.add("after");
        set.names().forEach(name -> set.awaitEntries(name, expected));
    }

    @Test
    void roleShowsTheLeaderAndTheProgressOfFollowers() {
        var leader = set.leader();
        set.write("x");
        var entries = set.state(leader).entries();
        set.names().forEach(name -> set.awaitEntries(name, entries));
        var role = set.engine(leader).role();
        assertThat(role.role()).isEqualTo(RoleView.Role.LEADER);
        assertThat(role.leader()).isEqualTo(leader);
        assertThat(role.writableTerm()).isEqualTo(role.term()).isPositive();
        assertThat(role.membership()).isEqualTo(set.all());
        assertThat(role.applied()).isEqualTo(set.state(leader).applied());
        assertThat(role.progress())
                .extracting(RoleView.Progress::member)
                .containsExactlyInAnyOrderElementsOf(set.names());
        LocalSet.await(
                "acknowledgements",
                () -> set.engine(leader).role().progress().stream()
                        .allMatch(each -> each.matchIndex() >= role.applied().index()));
        for (String follower : set.followers(leader)) {
            var other = set.engine(follower).role();
            assertThat(other.role()).isEqualTo(RoleView.Role.FOLLOWER);
            assertThat(other.leader()).isEqualTo(leader);
            assertThat(other.isWritable()).isFalse();
            assertThat(other.progress()).isEmpty();
            assertThat(set.state(follower).events()).contains("leader " + leader);
            LocalSet.await("members", () -> set.state(follower).membership().equals(set.all()));
        }
    }

    @Test
    void entriesHaveALimit() {
        var leader = set.leader();
        var engine = set.engine(leader);
        long term = set.state(leader).writableTerm();
        assertThatThrownBy(() -> engine.propose(new byte[0], term)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> engine.propose(new byte[LocalSet.ENTRY_BYTES_MAX + 1], term))
                .hasMessage("An entry has 1 to 1048576 bytes, not 1048577");
        assertThat(LocalSet.get(engine.propose(new byte[LocalSet.ENTRY_BYTES_MAX], term)))
                .isInstanceOf(Outcome.Applied.class);
    }

    @Test
    void tooManyProposalsAreBusyAndLeaveNoTrace() {
        // On a busy machine so many bytes can keep a leader from its followers for as long as they wait for one.
        LocalSet.await("a leader that lasts", this::isFloodSurvived);
    }

    /** False if the leader was not the leader to the end, so that nothing is known of what was proposed. */
    private boolean isFloodSurvived() {
        var leader = set.leader();
        var engine = set.engine(leader);
        long term = set.state(leader).writableTerm();
        int before = set.state(leader).entries().size();
        var outcomes = new ArrayList<Future<Outcome>>();
        for (int i = 0; i < 40; i++) {
            outcomes.add(engine.propose(new byte[LocalSet.ENTRY_BYTES_MAX], term));
        }
        var kinds = outcomes.stream().map(LocalSet::get).map(Outcome::getClass).toList();
        if (engine.role().writableTerm() != term) {
            return false;
        }
        assertThat(kinds).contains(Outcome.Busy.class).doesNotContain(Outcome.NotWritable.class, Outcome.Unknown.class);
        long applied = kinds.stream().filter(Outcome.Applied.class::equals).count();
        assertThat(set.state(leader).entries()).hasSize(before + (int) applied);
        return true;
    }

    @Test
    void firstPositionIsAfterNone() {
        assertThat(List.of(new Position(1, 0), Position.NONE).stream().sorted()).startsWith(Position.NONE);
    }
}
