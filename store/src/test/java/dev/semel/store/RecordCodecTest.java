package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.Namespace;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
    private static final List<Fact> FACTS = List.of(
            new Fact.SizeChanged(-1, -5, Long.MIN_VALUE),
            new Fact.BecameMultikey(7, 31, 63),
            new Fact.CatalogChanged(new Namespace("dä", "c.x"), -1700),
            new Fact.StorageRemoved(Integer.MIN_VALUE),
            new Fact.NamespaceGone(new Namespace("d", "c"), "collection dropped: d.c"),
            new Fact.NumberUsed(0),
            new Fact.TokenBytesChanged(Long.MAX_VALUE),
            new Fact.OplogTruncated(-1),
            new Fact.Touched(new Namespace("d", "")));

    private final Sequencer sequencer =
            new Sequencer(new ClusterClock(InstantSource.system(), 0), new Position(3, 41, 1L << 40));

    private CommitRecord random(Random random) {
        CommitDraft draft = new CommitDraft(null);
        draft.put(Table.RECORDS, new byte[] {1}, new byte[0]);
        for (int left = random.nextInt(20); left > 0; left--) {
            Table table = Table.at(random.nextInt(Table.values().length));
            byte[] key = bytes(random, 300);
            switch (random.nextInt(6)) {
                case 0 -> draft.rows().delete(table, key);
                case 1 -> draft.rows().deleteRange(table, KeyRange.atLeast(key));
                case 2 -> draft.rows().deleteRange(table, new KeyRange(key, bytes(random, 10)));
                case 3 -> draft.rows().retire(table, KeyRange.atLeast(key));
                case 4 -> draft.rows().retire(table, new KeyRange(key, bytes(random, 10)));
                default -> draft.put(table, key, bytes(random, 3000));
            }
        }
        FACTS.stream().filter(each -> random.nextBoolean()).forEach(draft::add);
        draft.times(1 + random.nextInt(300));
        return sequencer.sequence(draft);
    }

    private static byte[] bytes(Random random, int lengthMax) {
        byte[] bytes = new byte[random.nextInt(lengthMax)];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void whatIsDecodedIsWhatWasEncoded() {
        Seeds.check(500, random -> {
            CommitRecord record = random(random);
            byte[] encoded = RecordCodec.encode(record);
            CommitRecord decoded = RecordCodec.decode(encoded);
            assertThat(decoded.place()).isEqualTo(record.place());
            assertThat(decoded.facts()).isEqualTo(record.facts());
            assertThat(rows(decoded)).isEqualTo(rows(record));
            assertThat(RecordCodec.encode(decoded)).isEqualTo(encoded);
        });
    }

    private static List<String> rows(CommitRecord record) {
        List<String> rows = new ArrayList<>();
        record.rows().applyTo(new Batch.Target() {
            @Override
            public void put(Table table, byte[] key, byte[] value) {
                rows.add("put " + table + Arrays.toString(key) + Arrays.toString(value));
            }

            @Override
            public void delete(Table table, byte[] key) {
                rows.add("delete " + table + Arrays.toString(key));
            }

            @Override
            public void deleteRange(Table table, KeyRange range) {
                rows.add("range " + table + Arrays.toString(range.low()) + Arrays.toString(range.high()));
            }

            @Override
            public void retire(Table table, KeyRange range) {
                rows.add("retired " + table + Arrays.toString(range.low()) + Arrays.toString(range.high()));
            }
        });
        return rows;
    }

    @Test
    void rowsThatWereStagedComeFirstAndFactsStillNameTheirRows() {
        Batch staged = new Batch();
        staged.put(Table.DOCUMENTS, new byte[] {5}, new byte[] {6});
        CommitDraft draft = new CommitDraft(new CommitDraft.StagedRows(staged, () -> {}, null));
        draft.add(new Fact.NumberUsed(draft.put(Table.RECORDS, new byte[] {7}, new byte[] {8})));
        CommitRecord decoded = RecordCodec.decode(RecordCodec.encode(sequencer.sequence(draft)));
        assertThat(rows(decoded)).containsExactly("put DOCUMENTS[5][6]", "put RECORDS[7][8]");
        assertThat(decoded.facts()).containsExactly(new Fact.NumberUsed(1));
        assertThat(decoded.value(1)).containsExactly(8);
    }

    @Test
    void whatIsNotKnownIsRefused() {
        byte[] good = RecordCodec.encode(random(new Random(1)));
        refused(changed(good, 0, 2), "unknown format 2 at byte 1");
        refused(changed(good, 1, 9), "unknown kind 9 at byte 2");
        refused(Arrays.copyOf(good, good.length + 1), "bytes behind its end at byte " + good.length);
        for (int length = 0; length < good.length; length++) {
            refused(Arrays.copyOf(good, length), "a commit record cannot be read");
        }
    }

    /** Whatever is in it, nothing else comes of it than a record or a refusal. */
    @Test
    void damagedRecordsAreRefusedOrRecords() {
        Seeds.check(20_000, random -> {
            byte[] bytes = RecordCodec.encode(random(random));
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                RecordCodec.decode(bytes);
            } catch (EngineException refused) {
                assertThat(refused).hasMessageStartingWith("a commit record cannot be read");
            }
        });
    }

    private static byte[] changed(byte[] bytes, int at, int to) {
        byte[] changed = bytes.clone();
        changed[at] = (byte) to;
        return changed;
    }

    private static void refused(byte[] bytes, String why) {
        assertThatThrownBy(() -> RecordCodec.decode(bytes))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining(why);
    }
}
