package dev.semel.query.pipeline.window;

import dev.semel.query.value.SortOrder;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $rank $denseRank $documentNumber}. */
public final class Ranks {
    private Ranks() {}

    public static WindowFunction documentNumber() {
        return partition -> new WindowFunction.Run() {
            @Override
            public Value value(long current) {
                return RemovableSum.whole(current + 1);
            }

            @Override
            public long needed() {
                return Long.MAX_VALUE;
            }
        };
    }

    /** One more than the number of documents that come before in the order; documents that are equal in it have the same rank. */
    public static WindowFunction rank(SortOrder order) {
        return partition -> new Rank(order, partition, false);
    }

    /** The same without gaps. */
    public static WindowFunction denseRank(SortOrder order) {
        return partition -> new Rank(order, partition, true);
    }

    private static final class Rank implements WindowFunction.Run {
        private final SortOrder order;
        private final Partition partition;
        private final boolean dense;
        private final Kept kept;
        private SortOrder.@Nullable Key last;
        private long rank;

        Rank(SortOrder order, Partition partition, boolean dense) {
            this.order = order;
            this.partition = partition;
            this.dense = dense;
            this.kept = new Kept(partition);
        }

        @Override
        public Value value(long current) {
            SortOrder.Key key = order.key(partition.document(current));
            if (last == null || order.compare(last, key) != 0) {
                last = new SortOrder.Key(kept.copies(key.values()));
                rank = dense ? rank + 1 : current + 1;
            }
            return RemovableSum.whole(rank);
        }

        @Override
        public long needed() {
            return Long.MAX_VALUE;
        }
    }
}
