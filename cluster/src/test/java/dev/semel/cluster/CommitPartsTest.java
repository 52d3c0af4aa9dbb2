package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.cluster.EntryCodec.Part;
import dev.semel.store.CommitRecord;
import dev.semel.store.EngineException;
import dev.semel.store.RecordCodec;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit that comes in several entries, between those that an earlier primary has left incomplete. */
class CommitPartsTest {
    @TempDir
    private Path folder;

    private CommitParts parts = new CommitParts(Path.of("none"));

    @BeforeEach
    void open() {
        parts = new CommitParts(folder);
    }

    @AfterEach
    void noFileIsLeft() {
        parts.close();
        assertThat(folder).isEmptyDirectory();
    }

    /** Without rows or facts: format, kind, term, sequence number, times, two cluster times, two counts. */
    private static byte[] record(int term) {
        return ByteBuffer.allocate(23)
                .put(new byte[] {1, 1, (byte) term, 10, 1})
                .putLong(7)
                .putLong(7)
                .array();
    }

    private static List<Part> parts(int term) {
        byte[] record = record(term);
        return List.of(part(record, 0, 10), part(record, 10, 20), part(record, 20, record.length));
    }

    private static Part part(byte[] record, int from, int to) {
        return new Part(record[2], record[3], record.length, from, Arrays.copyOfRange(record, from, to));
    }

    @Test
    void lastPartCompletesTheRecord() {
        List<Part> all = parts(1);
        assertThat(parts.add(all.get(0))).isNull();
        assertThat(parts.add(all.get(1))).isNull();
        CommitRecord complete = parts.add(all.get(2));
        assertThat(RecordCodec.encode(Objects.requireNonNull(complete))).isEqualTo(record(1));
    }

    @Test
    void commitThatIsTooLongForOneEntryComesInSeveral() {
        // Each has room for 10 bytes of the record.
        List<byte[]> entries = EntryCodec.encode(List.of(RecordCodec.decode(record(1))), 35);
        assertThat(entries).hasSize(3);
        CommitRecord complete = null;
        for (byte[] each : entries) {
            assertThat(complete).isNull();
            complete = parts.add((Part) EntryCodec.decode(each));
        }
        assertThat(RecordCodec.encode(Objects.requireNonNull(complete))).isEqualTo(record(1));
    }

    /** The same sequence number in another term is another commit. */
    @Test
    void partsOfTwoTermsAreNotMixed() {
        assertThat(parts.add(parts(1).get(0))).isNull();
        List<Part> other = parts(2);
        assertThat(parts.add(other.get(1))).isNull();
        assertThat(parts.add(other.get(2))).isNull();
        assertThat(parts.add(parts(1).get(1))).isNull();
        assertThat(parts.add(other.get(0))).isNull();
        assertThat(parts.add(other.get(1))).isNull();
        assertThat(parts.add(other.get(2))).isNotNull();
    }

    @Test
    void partThatIsMissingLeavesTheCommitOut() {
        List<Part> all = parts(1);
        assertThat(parts.add(all.get(0))).isNull();
        assertThat(parts.add(all.get(2))).isNull();
        assertThat(parts.add(all.get(1))).isNull();
    }

    @Test
    void partBeyondTheEndIsRefused() {
        // Kind, term, sequence number, length of the record, where the part begins, the part.
        byte[] entry = ByteBuffer.allocate(30)
                .put((byte) 2)
                .putLong(1)
                .putLong(10)
                .putInt(6)
                .putInt(2)
                .array();
        assertThatThrownBy(() -> EntryCodec.decode(entry)).isInstanceOf(EngineException.class);
    }
}
