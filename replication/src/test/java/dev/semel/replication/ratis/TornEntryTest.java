package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogFormat;
import org.junit.jupiter.api.Test;

/** Files with two entries, of 300 and of 5 bytes, cut and damaged at each byte. */
class TornEntryTest {
    private static final int FILE_BYTES = 500;

    private final ByteBuffer file = ByteBuffer.allocate(FILE_BYTES);
    private final int first;
    private final int second;
    private final int end;

    TornEntryTest() {
        file.put(SegmentedRaftLogFormat.getHeaderBytebuffer());
        first = file.position();
        add(300);
        second = file.position();
        add(5);
        end = file.position();
        file.clear();
    }

    private void add(int length) {
        int from = file.position();
        if (length < 128) {
            file.put((byte) length);
        } else {
            file.put((byte) (length | 0x80)).put((byte) (length >> 7));
        }
        for (int i = 0; i < length; i++) {
            file.put((byte) (i % 100 + 1));
        }
        var checksum = new CRC32C();
        checksum.update(file.slice(from, file.position() - from));
        file.putInt((int) checksum.getValue());
    }

    private int endWithZerosFrom(int cut, int size) {
        byte[] bytes = Arrays.copyOf(file.array(), size);
        Arrays.fill(bytes, Math.min(cut, size), size, (byte) 0);
        return TornEntry.endOfEntries(ByteBuffer.wrap(bytes));
    }

    @Test
    void wholeFilesStayAsTheyAre() {
        for (int size : new int[] {first, second, end, FILE_BYTES}) {
            assertThat(endWithZerosFrom(size, size)).isEqualTo(size);
            assertThat(endWithZerosFrom(size, FILE_BYTES)).isEqualTo(FILE_BYTES);
        }
    }

    @Test
    void tornEntriesAreCut() {
        for (int cut = first + 1; cut < end; cut++) {
            int begun = cut < second ? first : second;
            if (cut != second) {
                assertThat(endWithZerosFrom(cut, FILE_BYTES))
                        .as("zeros from %d", cut)
                        .isEqualTo(begun);
                assertThat(endWithZerosFrom(cut, cut)).as("end at %d", cut).isEqualTo(begun);
            }
        }
    }

    /** But for the length of the last one: nothing tells a longer one from an entry that is torn. */
    @Test
    void damagedFilesStayAsTheyAre() {
        for (int at = first; at < end; at += at + 1 == second ? 2 : 1) {
            byte[] bytes = file.array().clone();
            bytes[at] ^= 2;
            assertThat(TornEntry.endOfEntries(ByteBuffer.wrap(bytes)))
                    .as("damaged at %d", at)
                    .isEqualTo(FILE_BYTES);
        }
    }
}
