package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BacklogTest {
    private static final int BYTES_MAX = 100;
    private static final int ENTRIES = 30;

    @TempDir
    Path folder;

    private final Backlog backlog = new Backlog(BYTES_MAX);
    private long committed;

    private boolean hasRoom() throws Exception {
        return backlog.awaitRoom(() -> committed, TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Test
    void onlyCommittedEntriesTakeRoom() throws Exception {
        backlog.appended(1, 60);
        backlog.appended(2, 60);
        committed = 1;
        assertThat(hasRoom()).isTrue();
        committed = 2;
        assertThat(hasRoom()).isFalse();
    }

    /** A leader may send entries while the log is being opened. */
    @Test
    void asksForNoLogBeforeThereIsAnEntry() throws Exception {
        assertThat(backlog.awaitRoom(
                        () -> {
                            throw new IllegalStateException("the log is not open yet");
                        },
                        TimeUnit.MILLISECONDS.toNanos(1)))
                .isTrue();
    }

    @Test
    void whatIsAppliedTakesNoRoom() throws Exception {
        backlog.appended(1, 60);
        backlog.appended(3, 60);
        backlog.appended(4, 60);
        committed = 4;
        backlog.applied(2);
        assertThat(hasRoom()).isFalse();
        backlog.applied(3);
        assertThat(hasRoom()).isTrue();
    }

    @Test
    void entriesOfAnotherLeaderTakeThePlaceOfThoseBehindThem() throws Exception {
        backlog.appended(1, 10);
        backlog.appended(2, 60);
        backlog.appended(3, 60);
        backlog.appended(2, 50);
        committed = 3;
        assertThat(hasRoom()).isTrue();
        backlog.appended(3, 50);
        assertThat(hasRoom()).isFalse();
    }

    @Test
    void aCheckpointReplacesAll() throws Exception {
        backlog.appended(1, 200);
        committed = 10;
        backlog.applied(10);
        backlog.appended(11, 90);
        committed = 11;
        assertThat(hasRoom()).isTrue();
    }

    @Test
    void whoWaitsGoesOnWhenSomethingIsApplied() throws Exception {
        backlog.appended(1, 200);
        committed = 1;
        var waiting = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> {
            try {
                waiting.complete(backlog.awaitRoom(() -> committed, Long.MAX_VALUE));
            } catch (InterruptedException e) {
                waiting.completeExceptionally(e);
            }
        });
        assertThat(waiting).isNotDone();
        backlog.applied(1);
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    }

    /** Otherwise a member that applies slowly would run out of memory. */
    @Test
    void aFollowerThatAppliesNothingReceivesNoMoreThanItsLimitAndFollowsOn() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            var slow = set.followers(leader).getFirst();
            var expected = new ArrayList<String>();
            set.state(slow).mayApply.lock();
            try {
                for (int i = 0; i < ENTRIES; i++) {
                    var entry = i + "x".repeat(LocalSet.ENTRY_BYTES_MAX / 2);
                    expected.add(entry);
                    set.write(entry);
                }
                long last = set.state(leader).applied().index();
                long received = set.engine(leader).role().progress().stream()
                        .filter(each -> each.member().equals(slow))
                        .findFirst()
                        .orElseThrow()
                        .matchIndex();
                assertThat(received).isPositive().isLessThan(last - ENTRIES / 2);
                assertThat(set.engine(slow).role().leader()).isEqualTo(leader);
            } finally {
                set.state(slow).mayApply.unlock();
            }
            set.names().forEach(name -> set.awaitEntries(name, expected));
        }
    }
}
