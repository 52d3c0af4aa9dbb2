package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.key.KeyRange;
import dev.semel.store.memory.MemoryStore;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commits that were applied before their log had them, and are taken back where it never gets them. */
class UndoTest {
    private static final int GROUPS = 30;
    private static final List<Table> TABLES =
            List.of(Table.DOCUMENTS, Table.INDEXES, Table.OPLOG, Table.RECORDS, Table.CATALOG);

    /** A run of a node: what its memory knows is read from the store. */
    private static final class Node {
        final Store store;
        final Versions versions;
        final Applier applier;
        final Sequencer sequencer;

        Node(Store store) {
            Undo.takeBack(store);
            this.store = store;
            Position applied = store.position();
            this.versions = new Versions(
                    store.snapshot(applied.clusterTime()),
                    0,
                    System::nanoTime,
                    () -> TransactionOptions.forHeap(1 << 30),
                    null);
            this.applier = new Applier(store, versions);
            this.sequencer = new Sequencer(new ClusterClock(InstantSource.system(), 0), applied);
        }

        /** The store stays open. */
        Store end() {
            versions.close();
            return store;
        }

        Map<String, String> rows() {
            Map<String, String> rows = new TreeMap<>();
            HexFormat hex = HexFormat.of();
            try (Snapshot snapshot = store.snapshot(0)) {
                for (Table table : Table.values()) {
                    try (Scan scan = snapshot.scan(table, KeyRange.ALL, false)) {
                        while (scan.next()) {
                            rows.put(table + " " + hex.formatHex(scan.key()), hex.formatHex(scan.value()));
                        }
                    }
                }
            }
            return rows;
        }
    }

    private static LogPosition entry(long index) {
        return new LogPosition(1, index);
    }

    private static List<CommitRecord> group(Node node, Random random) {
        List<CommitRecord> records = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            CommitDraft draft = new CommitDraft(null);
            byte[] time = new byte[Long.BYTES];
            draft.timeAt(time, 0, CommitDraft.COMMIT_TIME);
            draft.put(Table.OPLOG, time, new byte[] {1});
            for (int row = 0; row <= random.nextInt(6); row++) {
                Table table = TABLES.get(random.nextInt(TABLES.size()));
                byte[] key = {(byte) random.nextInt(8)};
                if (random.nextInt(3) == 0) {
                    draft.delete(table, key);
                } else if (table != Table.OPLOG) {
                    draft.put(table, key, bytes(random));
                }
            }
            records.add(node.sequencer.sequence(draft));
        }
        return records;
    }

    private static byte[] bytes(Random random) {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void takesBackWhatTheLogDoesNotHave(Store store, UnaryOperator<Store> reopened, Random random) {
        Node node = new Node(store);
        CommitDraft first = new CommitDraft(null);
        first.put(Table.DOCUMENTS, new byte[] {1}, new byte[] {1});
        node.applier.apply(List.of(node.sequencer.sequence(first)), entry(0), () -> {});

        List<Long> ends = new ArrayList<>();
        List<Map<String, String>> contents = new ArrayList<>(List.of(node.rows()));
        List<Position> positions = new ArrayList<>(List.of(node.applier.applied()));
        for (int i = 0; i < GROUPS; i++) {
            List<CommitRecord> group = group(node, random);
            assertThat(node.applier.applyAhead(group, () -> {})).isPositive();
            ends.add(group.getLast().place().sequence());
            Map<String, String> rows = node.rows();
            rows.keySet().removeIf(each -> each.startsWith("UNDO"));
            contents.add(rows);
            positions.add(node.applier.applied());
        }
        int committed = random.nextInt(GROUPS + 1);
        for (int from = 0; from < committed; ) {
            int to = Math.min(committed, from + 1 + random.nextInt(3));
            node.applier.committed(
                    ends.subList(from, to).stream().mapToLong(each -> each).toArray(), entry(to));
            from = to;
        }

        Node next = new Node(reopened.apply(node.end()));
        assertThat(next.rows()).isEqualTo(contents.get(committed));
        assertThat(next.store.position()).isEqualTo(positions.get(committed).at(entry(committed)));
        next.applier.apply(group(next, random), entry(committed + 1), () -> {});
        next.end().close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void inMemory(long seed) {
        takesBackWhatTheLogDoesNotHave(new MemoryStore(), same -> same, new Random(seed));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void onDisk(long seed, @TempDir Path folder) {
        RocksOptions limits = RocksOptions.forMemory(1L << 30, 1L << 28);
        takesBackWhatTheLogDoesNotHave(
                RocksStore.open(folder, limits),
                open -> {
                    open.close();
                    return RocksStore.open(folder, limits);
                },
                new Random(seed));
    }

    @Test
    void withoutAShortWayBackNothingIsApplied() {
        Node node = new Node(new MemoryStore());
        CommitDraft first = new CommitDraft(null);
        byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(7).array();
        first.put(Table.DOCUMENTS, key, new byte[Undo.BYTES_MAX]);
        assertThat(first.hasWayBack()).isTrue();
        CommitRecord large = node.sequencer.sequence(first);
        // Not even a position to go back to.
        assertThat(node.applier.applyAhead(List.of(large), () -> {})).isEqualTo(-1);
        node.applier.apply(List.of(large), entry(1), () -> {});

        CommitDraft second = new CommitDraft(null);
        second.delete(Table.DOCUMENTS, key);
        CommitRecord removal = node.sequencer.sequence(second);
        assertThat(node.applier.applyAhead(List.of(removal), () -> {})).isEqualTo(-1);
        assertThat(node.applier.applied()).isEqualTo(large.place().position(entry(1)));
        node.applier.apply(List.of(removal), entry(2), () -> {});

        CommitDraft third = new CommitDraft(null);
        third.rows().deleteRange(Table.DOCUMENTS, KeyRange.ALL);
        assertThat(third.hasWayBack()).isFalse();
        CommitRecord range = node.sequencer.sequence(third);
        assertThat(node.applier.applyAhead(List.of(range), () -> {})).isEqualTo(-1);
        assertThat(node.rows()).isEmpty();
    }
}
