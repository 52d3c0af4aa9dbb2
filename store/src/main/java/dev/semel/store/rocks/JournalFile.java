package dev.semel.store.rocks;

import dev.semel.store.Table;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One file of the {@link Journal}, which is written from its beginning again and again. Numbers have the highest byte first:
 *
 * <pre>
 * file    "SemelJnl", generation (8): how often the file has been begun, number of the first record (8),
 *         CRC-32C of these (4), then records
 * record  CRC-32C (4) of the batch from its 12th byte on, its first 12 bytes, the length, the number and the generation;
 *         length of the batch (4), number (8), the batch in the engine's form
 * </pre>
 *
 * Behind the last record of a generation lie those of earlier ones, whose checksums do not fit any more.
 *
 * <p>It is written by way of a {@link RandomAccessFile}, because an interrupt of the thread that writes closes a channel.
 */
final class JournalFile implements AutoCloseable {
    private static final long MAGIC = 0x53656d656c4a6e6cL;
    private static final int HEADER_BYTES = 3 * Long.BYTES + Integer.BYTES;
    private static final int RECORD_HEADER_BYTES = 2 * Integer.BYTES + Long.BYTES;
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path path;
    private final RandomAccessFile file;

    /** For the sync alone. */
    private FileChannel channel;

    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final CRC32C checksum = new CRC32C();
    private long generation;
    private long first;
    private long behind;

    /** Where the next record begins. */
    private long end;

    /** Opens a file, or makes one. */
    JournalFile(Path path) throws IOException {
        this.path = path;
        this.file = new RandomAccessFile(path.toFile(), "rw");
        boolean opened = false;
        try {
            this.channel = channel(path);
            opened = true;
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    private static FileChannel channel(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.WRITE);
    }

    Path path() {
        return path;
    }

    /** The number of its first record. */
    long first() {
        return first;
    }

    /** The number behind its last record. */
    long behind() {
        return behind;
    }

    long length() {
        return end;
    }

    /** Reads the header; false if there is none. */
    boolean hasHeader() throws IOException {
        if (file.length() < HEADER_BYTES) {
            return false;
        }
        file.seek(0);
        file.readFully(buffer, 0, HEADER_BYTES);
        ByteBuffer header = ByteBuffer.wrap(buffer, 0, HEADER_BYTES);
        boolean isMagic = header.getLong() == MAGIC;
        generation = header.getLong();
        first = header.getLong();
        return isMagic && header.getInt() == headerChecksum();
    }

    private int headerChecksum() {
        checksum.reset();
        checksum.update(buffer, 0, HEADER_BYTES - Integer.BYTES);
        return (int) checksum.getValue();
    }

    /**
     * From here on the file holds nothing but what follows. The header has to be durable before that: a generation that a power
     * loss takes back is begun once more, and would find records of the first time behind its own.
     */
    void begin(long firstNumber) throws IOException {
        generation++;
        first = firstNumber;
        behind = firstNumber;
        ByteBuffer header = ByteBuffer.wrap(buffer, 0, HEADER_BYTES);
        header.putLong(MAGIC).putLong(generation).putLong(firstNumber).putInt(headerChecksum());
        file.seek(0);
        file.write(buffer, 0, HEADER_BYTES);
        end = HEADER_BYTES;
    }

    void append(byte[] batch) throws IOException {
        checksum.reset();
        checksum.update(batch, RowEncoder.HEADER_BYTES, batch.length - RowEncoder.HEADER_BYTES);
        ByteBuffer header = header(behind, batch.length, batch);
        file.seek(end);
        if (batch.length <= buffer.length - RECORD_HEADER_BYTES) {
            header.put(batch);
            file.write(buffer, 0, header.position());
        } else {
            file.write(buffer, 0, header.position());
            file.write(batch);
        }
        added(batch.length);
    }

    private void added(long length) {
        end += RECORD_HEADER_BYTES + length;
        behind++;
    }

    /** In the buffer, once the checksum has taken in what comes behind the first bytes of the batch. */
    private ByteBuffer header(long number, int length, byte[] firstBytes) {
        checksum.update(firstBytes, 0, RowEncoder.HEADER_BYTES);
        ByteBuffer covered =
                ByteBuffer.wrap(buffer).putInt(length).putLong(number).putLong(generation);
        checksum.update(buffer, 0, covered.position());
        return ByteBuffer.wrap(buffer)
                .putInt((int) checksum.getValue())
                .putInt(length)
                .putLong(number);
    }

    /** A batch that is not in one piece. Nothing is there before {@link Rows#finish}. */
    Rows rows(int[] families, Function<Table, byte @Nullable []> lastKey) throws IOException {
        checksum.reset();
        return new Rows(families, lastKey);
    }

    /** Makes what has been written durable. One thread at a time. */
    void sync() throws IOException {
        Uninterrupted.run(() -> {
            if (!channel.isOpen()) {
                channel = channel(path);
            }
            channel.force(false);
        });
    }

    /** Reads the records of a file with a header, in order, up to the first that is none. */
    void read(Reader reader) throws IOException {
        behind = first;
        long left = file.length() - HEADER_BYTES;
        try (InputStream bytes = new FileInputStream(path.toFile());
                DataInputStream in = new DataInputStream(new BufferedInputStream(bytes, BUFFER_BYTES))) {
            in.skipNBytes(HEADER_BYTES);
            while (left >= RECORD_HEADER_BYTES) {
                int found = in.readInt();
                int length = in.readInt();
                long number = in.readLong();
                left -= RECORD_HEADER_BYTES;
                if (number != behind || length < RowEncoder.HEADER_BYTES || length > left) {
                    break;
                }
                byte[] batch = in.readNBytes(length);
                if (batch.length < length || found != checksum(number, batch)) {
                    break;
                }
                left -= length;
                reader.read(number, batch);
                behind++;
            }
        } catch (EOFException e) {
            // Shorter than it was.
        }
    }

    private int checksum(long number, byte[] batch) {
        checksum.reset();
        checksum.update(batch, RowEncoder.HEADER_BYTES, batch.length - RowEncoder.HEADER_BYTES);
        return header(number, batch.length, batch).getInt(0);
    }

    interface Reader {
        void read(long number, byte[] batch) throws IOException;
    }

    /** Closes and removes it. */
    void delete() throws IOException {
        close();
        Files.delete(path);
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            file.close();
        }
    }

    /** Rows that go to the file as they come; the header, without which they are nothing, goes last. */
    final class Rows extends RowEncoder {
        private long length = RowEncoder.HEADER_BYTES;
        private int buffered;

        private Rows(int[] families, Function<Table, byte @Nullable []> lastKey) throws IOException {
            super(families, lastKey);
            file.seek(end + RECORD_HEADER_BYTES + RowEncoder.HEADER_BYTES);
        }

        @Override
        void begin(int recordBytes) {
            length += recordBytes;
        }

        @Override
        void add(byte one) {
            if (buffered == buffer.length) {
                flush();
            }
            buffer[buffered++] = one;
        }

        @Override
        void add(byte[] content) {
            if (buffered + content.length > buffer.length) {
                flush();
            }
            if (content.length > buffer.length) {
                write(content, content.length);
            } else {
                System.arraycopy(content, 0, buffer, buffered, content.length);
                buffered += content.length;
            }
        }

        private void flush() {
            write(buffer, buffered);
            buffered = 0;
        }

        private void write(byte[] bytes, int count) {
            checksum.update(bytes, 0, count);
            try {
                file.write(bytes, 0, count);
            } catch (IOException e) {
                throw Journal.failure("writing", e);
            }
        }

        /** All rows are there. */
        void finish() throws IOException {
            flush();
            byte[] firstBytes = new byte[RowEncoder.HEADER_BYTES];
            ByteBuffer.wrap(firstBytes).order(ByteOrder.LITTLE_ENDIAN).putInt(COUNT_OFFSET, count());
            ByteBuffer header =
                    header(behind, Math.toIntExact(length), firstBytes).put(firstBytes);
            file.seek(end);
            file.write(buffer, 0, header.position());
            added(length);
        }
    }
}
