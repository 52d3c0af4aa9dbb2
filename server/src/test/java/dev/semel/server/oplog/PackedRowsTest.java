package dev.semel.server.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PackedRowsTest {
    private static final byte[] HEADER = {4, 2};

    private static RawDocument row(int number) {
        return new BsonWriter().put("n", "x".repeat(number % 700)).finish();
    }

    private static void add(PackedRows rows, int number) {
        RawDocument row = row(number);
        rows.begin(HEADER.length + row.length() - 5);
        rows.put(HEADER, 0, HEADER.length);
        rows.put(row.array(), row.offset() + 4, row.offset() + row.length() - 1);
    }

    private static RawDocument read(PackedRows rows, int at) {
        int start = rows.start(at);
        assertThat(Arrays.copyOfRange(rows.array(at), start, start + HEADER.length))
                .isEqualTo(HEADER);
        return new BsonWriter()
                .copyElements(rows.array(at), start + HEADER.length, start + rows.length(at))
                .finish();
    }

    @Test
    void rowsComeBackAsTheyWentIn() {
        PackedRows rows = new PackedRows();
        for (int i = 0; i < 2_000; i++) {
            add(rows, i);
        }
        assertThat(rows.size()).isEqualTo(2_000);
        for (int i = 0; i < 2_000; i++) {
            assertThat(read(rows, i)).isEqualTo(row(i));
        }
        assertThat(rows.heapBytes()).isBetween(rows.bytes(), rows.bytes() * 5 / 4 + 100_000);
    }

    @Test
    void truncatedRowsMakeRoomForOthers() {
        PackedRows rows = new PackedRows();
        for (int i = 0; i < 1_000; i++) {
            add(rows, i);
        }
        long bytes = rows.bytes();
        long heap = rows.heapBytes();
        for (int i = 0; i < 500; i++) {
            add(rows, 7 * i);
        }
        rows.truncate(1_000);
        assertThat(rows.bytes()).isEqualTo(bytes);
        assertThat(rows.heapBytes()).isBetween(heap, heap + 20_000);
        add(rows, 42);
        assertThat(read(rows, 999)).isEqualTo(row(999));
        assertThat(read(rows, 1_000)).isEqualTo(row(42));
        rows.truncate(0);
        add(rows, 5);
        assertThat(rows.size()).isEqualTo(1);
        assertThat(read(rows, 0)).isEqualTo(row(5));
    }
}
