package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchBytesTest {
    /** The number of the last one takes two bytes. */
    private static final int[] FAMILIES = IntStream.range(0, Table.values().length)
            .map(each -> 120 + 8 * each)
            .toArray();

    private static final int HEADER_BYTES = 12;

    private final Batch batch = new Batch();

    private byte[] encoded(long expectedBytes) {
        BatchBytes bytes = new BatchBytes(FAMILIES, table -> null, expectedBytes);
        batch.applyTo(bytes);
        return bytes.finish();
    }

    private long length() {
        RowEncoder.Length length = new RowEncoder.Length(FAMILIES);
        batch.applyTo(length);
        return length.bytes();
    }

    /** Around each length that takes a byte more. */
    @Test
    void lengthIsWhatTheRecordsTake() {
        assertThat(encoded(length())).hasSize(HEADER_BYTES);
        for (int bytes : new int[] {0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152}) {
            for (Table table : Table.values()) {
                batch.put(table, new byte[Math.min(bytes, 16_384)], new byte[bytes]);
            }
            batch.delete(Table.INDEXES, new byte[Math.min(bytes, 16_384)]);
            assertThat(encoded(length())).hasSize(Math.toIntExact(HEADER_BYTES + length()));
        }
        batch.deleteRange(Table.DOCUMENTS, KeyRange.prefix(new byte[] {1, 2, 3}));
        assertThat(encoded(length())).hasSize(Math.toIntExact(HEADER_BYTES + length()));
    }

    /** Its end is found when it is written. */
    @Test
    void rangeWithoutAnEndIsWrittenAllTheSame() {
        batch.put(Table.OPLOG, new byte[] {7}, new byte[300]);
        batch.deleteRange(Table.OPLOG, KeyRange.atLeast(new byte[] {5}));
        assertThat(encoded(length())).hasSize(Math.toIntExact(HEADER_BYTES + length()) + 1 + 2 + 2 + 3);
        assertThat(encoded(length())).isEqualTo(encoded(1000));
    }
}
