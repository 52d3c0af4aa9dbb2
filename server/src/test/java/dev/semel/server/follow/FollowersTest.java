package dev.semel.server.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Commit;
import dev.semel.store.Fact;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import dev.semel.wire.Namespace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever waits for changes of a collection must not be woken by all others, nor miss one. */
class FollowersTest {
    private static final Namespace WATCHED = new Namespace("db", "watched");
    private static final Namespace OTHER = new Namespace("db", "other");
    private static final Namespace ELSEWHERE = new Namespace("elsewhere", "c");

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Transactions transactions = Transactions.open(
            new MemoryStore(),
            TransactionOptions.forHeap(256 << 20),
            InstantSource.system(),
            System::nanoTime,
            failure::set);
    private final Followers followers = new Followers(transactions);
    private final long start = transactions.visibleTime();

    @AfterEach
    void close() {
        transactions.close();
        assertThat(failure).hasNullValue();
    }

    private long commit(Namespace... touched) {
        LockPolicy noLocks = new LockPolicy(LockPolicy.Kind.STATEMENT, 0);
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, noLocks, Interruption.unlimited())) {
            transaction.append((draft, all) -> List.of(touched).forEach(each -> draft.add(new Fact.Touched(each))));
            Commit commit = transaction.commit();
            commit.awaitApplied();
            return commit.clusterTime();
        }
    }

    @Test
    void onlyTheFollowersThatItConcernsAreNotified() {
        Follower ofCollection = followers.follow(new Interest.OfCollection(WATCHED));
        Follower ofDatabase = followers.follow(new Interest.OfDatabase("db"));
        Follower ofEverything = followers.follow(Interest.EVERYTHING);
        commit(ELSEWHERE);
        assertThat(ofEverything.isTouchedAfter(start)).isTrue();
        assertThat(ofDatabase.isTouchedAfter(start)).isFalse();
        commit(ELSEWHERE, OTHER);
        assertThat(ofDatabase.isTouchedAfter(start)).isTrue();
        assertThat(ofCollection.isTouchedAfter(start)).isFalse();
        assertThat(ofCollection.await(start, Interruption.unlimited(), Duration.ofMillis(1)))
                .isFalse();
        long time = commit(OTHER, WATCHED);
        assertThat(ofCollection.isTouchedAfter(time - 1)).isTrue();
        assertThat(ofCollection.isTouchedAfter(time)).isFalse();
        commit();
        assertThat(ofEverything.isTouchedAfter(time)).isFalse();
    }

    @Test
    void whoComesLaterLooksAtWhatHeMayHaveMissed() {
        long time = commit(WATCHED);
        Follower late = followers.follow(new Interest.OfCollection(WATCHED));
        assertThat(late.isTouchedAfter(time - 1)).isTrue();
        assertThat(late.isTouchedAfter(time)).isFalse();
    }

    @Test
    void formerFollowerIsNotNotified() {
        Follower leaving = followers.follow(new Interest.OfCollection(WATCHED));
        Follower staying = followers.follow(new Interest.OfCollection(WATCHED));
        leaving.close();
        commit(WATCHED);
        assertThat(leaving.isTouchedAfter(start)).isFalse();
        assertThat(staying.isTouchedAfter(start)).isTrue();
    }
}
