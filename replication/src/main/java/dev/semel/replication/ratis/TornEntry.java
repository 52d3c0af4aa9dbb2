package dev.semel.replication.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogFormat;

/**
 * An entry at the end of a log of which only the beginning was written, as when the disk was full: this member has said to
 * nobody that it has it. Files of the log are longer than what is in them, so zeros follow, and Ratis does not start with such
 * a file. An entry that is wrong in another way may have been acknowledged; the file stays as it is then, and Ratis refuses it.
 */
final class TornEntry {
    /** Ratis's own form of a file: a header, then entries of a length as varint, the bytes, and the CRC-32C of both. */
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    private static final int VARINT_BYTES_MAX = 5;
    private static final String CURRENT = "current";
    private static final String IN_PROGRESS = "log_inprogress_";

    private TornEntry() {}

    /** In the folder of a group that is not open. */
    static void cut(Path group) throws IOException {
        Path current = group.resolve(CURRENT);
        if (!Files.exists(current)) {
            return;
        }
        List<Path> written;
        try (Stream<Path> files = Files.list(current)) {
            written = files.filter(each -> each.getFileName().toString().startsWith(IN_PROGRESS))
                    .toList();
        }
        for (Path each : written) {
            cutFile(each);
        }
    }

    private static void cutFile(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int end = endOfEntries(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
            if (end < channel.size()) {
                channel.truncate(end);
                channel.force(true);
            }
        }
    }

    /** Where a torn entry begins; the end of the file if there is none. */
    static int endOfEntries(ByteBuffer file) {
        int size = file.limit();
        int at = SegmentedRaftLogFormat.getHeaderLength();
        while (at < size && !SegmentedRaftLogFormat.isTerminator(file.get(at))) {
            file.position(at);
            long length = length(file);
            long end = file.position() + length + CHECKSUM_BYTES;
            if (end > size || !isWhole(file, at, (int) end)) {
                return isTorn(file, end) ? at : size;
            }
            at = (int) end;
        }
        return size;
    }

    /** A varint; as far as there is one. */
    private static long length(ByteBuffer file) {
        long length = 0;
        for (int i = 0; i < VARINT_BYTES_MAX && file.hasRemaining(); i++) {
            byte next = file.get();
            length |= (next & 0x7FL) << (7 * i);
            if (next >= 0) {
                break;
            }
        }
        return length;
    }

    private static boolean isWhole(ByteBuffer file, int from, int to) {
        var checksum = new CRC32C();
        checksum.update(file.slice(from, to - CHECKSUM_BYTES - from));
        return (int) checksum.getValue() == file.getInt(to - CHECKSUM_BYTES);
    }

    /** Its last byte has not been written, nor anything behind it. */
    private static boolean isTorn(ByteBuffer file, long end) {
        for (long i = end - 1; i < file.limit(); i++) {
            if (file.get((int) i) != SegmentedRaftLogFormat.getTerminator()) {
                return false;
            }
        }
        return true;
    }
}
