package dev.semel.server.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
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
    private final Followers followers = new Followers();
    private final long start = transactions.visibleTime();

    @AfterEach
    void close() {
        transactions.close();
        assertThat(failure).hasNullValue();
    }

    @Test
    void onlyThoseAreToldWhomItConcerns() {
        Follower ofCollection = followers.follow(new Interest.OfCollection(WATCHED), transactions);
        Follower ofDatabase = followers.follow(new Interest.OfDatabase("db"), transactions);
        Follower ofEverything = followers.follow(Interest.EVERYTHING, transactions);
        followers.touched(List.of(ELSEWHERE), start + 1);
        assertThat(ofEverything.isTouchedAfter(start)).isTrue();
        assertThat(ofDatabase.isTouchedAfter(start)).isFalse();
        followers.touched(List.of(ELSEWHERE, OTHER), start + 2);
        assertThat(ofDatabase.isTouchedAfter(start)).isTrue();
        assertThat(ofCollection.isTouchedAfter(start)).isFalse();
        assertThat(ofCollection.await(start, Interruption.unlimited(), Duration.ofMillis(1)))
                .isFalse();
        followers.touched(List.of(OTHER, WATCHED), start + 3);
        assertThat(ofCollection.isTouchedAfter(start + 2)).isTrue();
        assertThat(ofCollection.isTouchedAfter(start + 3)).isFalse();
    }

    @Test
    void whoComesLaterLooksAtWhatHeMayHaveMissed() {
        followers.touched(List.of(WATCHED), start + 5);
        Follower late = followers.follow(new Interest.OfCollection(WATCHED), transactions);
        assertThat(late.isTouchedAfter(start + 4)).isTrue();
        assertThat(late.isTouchedAfter(start + 5)).isFalse();
    }

    @Test
    void whoHasLeftIsNotTold() {
        Follower leaving = followers.follow(new Interest.OfCollection(WATCHED), transactions);
        Follower staying = followers.follow(new Interest.OfCollection(WATCHED), transactions);
        leaving.close();
        followers.touched(List.of(WATCHED), start + 1);
        assertThat(leaving.isTouchedAfter(start)).isFalse();
        assertThat(staying.isTouchedAfter(start)).isTrue();
    }
}
