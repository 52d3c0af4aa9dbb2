package dev.semel.cluster;

import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Cluster times that clients have seen elsewhere, and that no write has reached here. Whoever reads after such a time would wait
 * for the next write; in a set that nobody writes to, the primary writes a no-op instead, and the others let it know that
 * it should.
 */
final class SeenTimes {
    private static final Duration QUESTION_ATMOST = Duration.ofMillis(300);

    private final MemberClient client;
    private final RaftReplicaSet set;
    private final Transactions transactions;
    private final Chore chore;
    private final AtomicLong newest = new AtomicLong();

    SeenTimes(MemberClient client, RaftReplicaSet set, Transactions transactions, LongSupplier nanoTime) {
        this.client = client;
        this.set = set;
        this.transactions = transactions;
        this.chore = new Chore("semel-no-op", this::reach, nanoTime);
    }

    void add(long clusterTime) {
        newest.accumulateAndGet(clusterTime, (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b);
    }

    /** From time to time. */
    void tend() {
        if (Long.compareUnsigned(newest.get(), transactions.visibleTime()) > 0) {
            chore.begin();
        }
    }

    /** False if it is to be tried again later. */
    private boolean reach() {
        if (set.isWritablePrimary()) {
            transactions.commitNothing(Interruption.unlimited());
            return true;
        }
        String primary = set.view().primary();
        try {
            if (primary != null) {
                client.hello(primary, QUESTION_ATMOST, newest.get());
            }
        } catch (IOException e) {
            // It may be another one soon.
        }
        return false;
    }
}
