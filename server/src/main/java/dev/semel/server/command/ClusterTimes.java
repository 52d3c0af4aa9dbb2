package dev.semel.server.command;

import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The gossip of cluster times: this node's clock must not fall behind times that clients have seen. Otherwise a client
 * could write on one node and be refused by the next, because its write would lie in the future.
 */
final class ClusterTimes {
    /** The clocks of members differ by less. */
    private static final long SKEW_SECS_MAX = 60;

    private static final ErrorCode TOO_FAR_AHEAD = new ErrorCode(209, "ClusterTimeFailsRateLimiter");

    /** Without access control times are not signed; this is the form that says so. */
    private static final RawDocument UNSIGNED = new BsonWriter(64)
            .put("hash", new Value.Binary((byte) 0, new byte[20]))
            .put("keyId", 0L)
            .finish();

    private final Transactions transactions;
    private final Dispatcher.Node node;
    private final LongSupplier aheadSecsMax;
    private final InstantSource clock;
    private final AtomicLong heardOf = new AtomicLong();

    /**
     * Of one node.
     *
     * @param aheadSecsMax a time that is further ahead of the wall clock is wrong; to accept it would move this server's
     *     clock for ever
     */
    ClusterTimes(Transactions transactions, Dispatcher.Node node, LongSupplier aheadSecsMax, InstantSource clock) {
        this.transactions = transactions;
        this.node = node;
        this.aheadSecsMax = aheadSecsMax;
        this.clock = clock;
    }

    /** The newest time from any client or member. */
    long newest() {
        long visible = transactions.visibleTime();
        long heard = heardOf.get();
        return Long.compareUnsigned(heard, visible) > 0 ? heard : visible;
    }

    void heardOf(long clusterTime) {
        if (Long.compareUnsigned(clusterTime, newest()) <= 0) {
            return;
        }
        if (isTooFarAhead(clusterTime, aheadSecsMax.getAsLong())) {
            throw new CommandException(
                    TOO_FAR_AHEAD,
                    "New cluster time, %d, is too far from this node's wall clock time, %d.",
                    clusterTime >>> 32,
                    clock.instant().getEpochSecond());
        }
        heardOf.accumulateAndGet(clusterTime, (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b);
        transactions.observe(clusterTime);
        node.seen(clusterTime);
    }

    /** The same from somebody who may be anybody, as the other members are here: it cannot move this server's clock far. */
    void heardOfByAnybody(long clusterTime) {
        if (!isTooFarAhead(clusterTime, Math.min(aheadSecsMax.getAsLong(), SKEW_SECS_MAX))) {
            heardOf(clusterTime);
        }
    }

    private boolean isTooFarAhead(long clusterTime, long secsMax) {
        long known = transactions.visibleTime() >>> 32;
        long farthest = clock.instant().getEpochSecond() + secsMax;
        // A clock of the set was wrong once if this is later; then all know times around it.
        return (clusterTime >>> 32) > (known > farthest ? known + SKEW_SECS_MAX : farthest);
    }

    /**
     * Returns when reads show this time. The primary reaches a time at which there is no write yet by writing a no-op entry
     * later; the others let it know of the time, and wait for what it writes.
     */
    void reach(long clusterTime, Interruption interruption) {
        if (Long.compareUnsigned(transactions.visibleTime(), clusterTime) >= 0) {
            return;
        }
        heardOf(clusterTime);
        if (node.isWritablePrimary()) {
            transactions.commitNothing(interruption);
        }
        transactions.awaitVisible(clusterTime, interruption);
    }

    /** The two times of every reply. */
    void writeTo(BsonWriter reply, long operationTime) {
        long newest = newest();
        long time = operationTime == 0 ? transactions.visibleTime() : operationTime;
        reply.startDocument("$clusterTime")
                .put("clusterTime", new Value.Timestamp(Long.compareUnsigned(time, newest) > 0 ? time : newest))
                .put("signature", UNSIGNED)
                .end();
        reply.put("operationTime", new Value.Timestamp(time));
    }
}
