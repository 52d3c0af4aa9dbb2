package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every node does with a record, whichever node made it. */
class ApplierTest {
    private static final byte[] KEY = {1};

    private final MemoryStore store = new MemoryStore();
    private final Versions versions =
            new Versions(store.snapshot(0), 0, System::nanoTime, () -> TransactionOptions.forHeap(1 << 30), null);
    private final Applier applier = new Applier(store, versions);
    private final Sequencer sequencer = new Sequencer(new ClusterClock(InstantSource.system(), 0), Position.NONE);

    private CommitRecord record(int value) {
        CommitDraft draft = new CommitDraft(null);
        draft.put(Table.DOCUMENTS, KEY, new byte[] {(byte) value});
        draft.add(new Fact.SizeChanged(value, 1, 1));
        return sequencer.sequence(draft);
    }

    private byte[] seen() {
        Version version = versions.acquireNewest();
        try {
            byte[] value = version.engine.get(Table.DOCUMENTS, KEY);
            return value == null ? new byte[0] : value;
        } finally {
            version.release();
        }
    }

    @Test
    void listenersLearnBeforeReadersSeeAndFollowersAreNotifiedAfter() {
        List<String> order = new ArrayList<>();
        applier.listen(new CommitListener() {
            @Override
            public void applied(CommitRecord record) {
                order.add("applied " + record.place().sequence() + ", seen " + seen().length);
            }

            @Override
            public void visible(CommitRecord record) {
                order.add("visible " + record.place().sequence() + ", seen " + seen()[0]);
            }
        });
        applier.apply(List.of(record(1), record(2)), LogPosition.NONE, () -> order.add("last, seen " + seen().length));
        assertThat(order)
                .containsExactly(
                        "applied 1, seen 0",
                        "applied 2, seen 0",
                        "last, seen 0",
                        "visible 1, seen 2",
                        "visible 2, seen 2");
    }

    @Test
    void positionIsThatOfTheNewestRecord() {
        CommitRecord first = record(1);
        CommitRecord second = record(2);
        applier.apply(List.of(first, second), LogPosition.NONE, () -> {});
        Position reached = new Position(1, 2, second.clusterTime());
        assertThat(applier.applied()).isEqualTo(reached);
        assertThat(store.position()).isEqualTo(reached);
        assertThat(applier.isNext(second)).isFalse();
        assertThat(applier.isNext(record(3))).isTrue();
    }

    @Test
    void aRecordThatDoesNotFollowIsRefused() {
        CommitRecord first = record(1);
        CommitRecord second = record(2);
        assertThatThrownBy(() -> applier.apply(List.of(second), LogPosition.NONE, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the commit 2 does not follow the commit 0");
        assertThatThrownBy(() -> applier.apply(List.of(first, first), LogPosition.NONE, () -> {}))
                .hasMessage("the commit 1 does not follow the commit 1");
        assertThat(seen()).isEmpty();
        applier.apply(List.of(first), LogPosition.NONE, () -> {});
        assertThat(seen()).containsExactly(1);
    }

    /** As after the loss of a leadership: the next commit takes the place of those that came to nothing. */
    @Test
    void sequencerBeginsAgainBehindWhatIsApplied() {
        applier.apply(List.of(record(1)), LogPosition.NONE, () -> {});
        CommitRecord lost = record(2);
        sequencer.begin(7, applier.applied());
        CommitRecord next = record(3);
        assertThat(next.place().term()).isEqualTo(7);
        assertThat(next.place().sequence()).isEqualTo(2);
        assertThat(Long.compareUnsigned(next.clusterTime(), lost.clusterTime())).isPositive();
    }

    @Test
    void timesOfACommitFollowEachOtherAndStandWhereTheyBelong() {
        byte[] key = new byte[9];
        byte[] value = new byte[16];
        CommitDraft draft = new CommitDraft(null);
        draft.times(3);
        draft.timeAt(key, 1, 0);
        draft.bsonTimeAt(value, 0, 1);
        draft.timeAt(value, 8, CommitDraft.COMMIT_TIME);
        draft.put(Table.OPLOG, key, value);
        CommitRecord record = sequencer.sequence(draft);
        long last = record.clusterTime();
        assertThat(ByteBuffer.wrap(key).getLong(1)).isEqualTo(last - 2);
        assertThat(Long.reverseBytes(ByteBuffer.wrap(value).getLong(0))).isEqualTo(last - 1);
        assertThat(ByteBuffer.wrap(value).getLong(8)).isEqualTo(last);
        assertThat(Long.compareUnsigned(record(1).clusterTime(), last)).isPositive();
    }
}
