package dev.semel.cluster;

import dev.semel.cluster.EntryCodec.Part;
import dev.semel.store.CommitRecord;
import dev.semel.store.EngineException;
import dev.semel.store.RecordCodec;
import dev.semel.wire.FileFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a commit that comes in several entries, in a file until all are there: in the heap they would take as much
 * again as its rows. The file does not outlive the member, which is given the parts again. Used by one thread at a time.
 */
final class CommitParts implements AutoCloseable {
    private static final String NAME = "large-commit";

    private final Path folder;
    private final Path file;
    private @Nullable FileChannel channel;

    /** The part that came last; null while none of a commit is here. */
    private @Nullable Part last;

    CommitParts(Path folder) {
        this.folder = folder;
        this.file = folder.resolve(NAME);
    }

    /** The record, if this part completes it. A part that does not follow the one before it ends what has begun. */
    @Nullable
    CommitRecord add(Part part) {
        try {
            if (part.from() == 0) {
                begin();
            } else if (last == null || !part.follows(last)) {
                last = null;
                return null;
            }
            write(part);
            last = part.isLast() ? null : part;
            return part.isLast() ? read(part.length()) : null;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /** Whether some of a commit are here and others are not. */
    boolean isBegun() {
        return last != null;
    }

    private void begin() throws IOException {
        end();
        Files.createDirectories(folder);
        channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private void write(Part part) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(part.bytes());
        while (bytes.hasRemaining()) {
            opened().write(bytes, part.from() + (long) bytes.position());
        }
    }

    private CommitRecord read(int length) throws IOException {
        try {
            return RecordCodec.decode(opened().map(FileChannel.MapMode.READ_ONLY, 0, length));
        } finally {
            end();
        }
    }

    private FileChannel opened() {
        if (channel == null) {
            throw new IllegalStateException("no part has come");
        }
        return channel;
    }

    private void end() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
            Files.deleteIfExists(file);
        }
    }

    @Override
    public void close() {
        try {
            end();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private EngineException failure(IOException cause) {
        return new EngineException("cannot keep a large commit in " + file + ": " + FileFailure.reason(cause), cause);
    }
}
