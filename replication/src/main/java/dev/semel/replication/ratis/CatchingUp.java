package dev.semel.replication.ratis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The members to which this one has sent a checkpoint, or is sending one, and which do not yet have what the log keeps for
 * every member. Without what follows the checkpoint they would need another one, and never catch up while others write much.
 */
final class CatchingUp {
    /** Nobody needs more of the log than is kept anyway. */
    static final long NOBODY = Long.MAX_VALUE;

    private record Need(long checkpoint, LongSupplier sent) {
        /** The index of the last entry that the member has, or will have with its checkpoint. */
        long index() {
            return Math.max(checkpoint, sent.getAsLong());
        }
    }

    /** By whoever sends to it. */
    private final Map<Object, Need> needs = new ConcurrentHashMap<>();

    /** The other one is the index of the last entry that the member was sent and has, as far as is known. */
    void began(Object sender, long checkpoint, LongSupplier sent) {
        needs.put(sender, new Need(checkpoint, sent));
    }

    void ended(Object sender) {
        needs.remove(sender);
    }

    /** What is above this index is needed. */
    long neededAbove() {
        return needs.values().stream().mapToLong(Need::index).min().orElse(NOBODY);
    }

    /**
     * The log has been cut.
     *
     * @param cut the index of the last entry that it does not have: who lacks that gets another checkpoint
     * @param before the index of a checkpoint that is newer, and not the newest: who has that lags no more than others
     */
    void keptAbove(long cut, long before) {
        needs.values().removeIf(need -> need.index() < cut || need.sent().getAsLong() >= before);
    }
}
