package dev.semel.store.rocks;

import dev.semel.store.DirectoryInUse;
import dev.semel.store.EngineException;
import dev.semel.wire.FileFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second process out of a data directory. The lock goes with the process, however that ends; the file stays. */
final class DirectoryLock implements AutoCloseable {
    private static final String NAME = "semel.lock";

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock acquire(Path directory) {
        try {
            FileChannel channel = FileChannel.open(
                    directory.resolve(NAME),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            if (!tryLock(channel)) {
                channel.close();
                throw new DirectoryInUse(directory);
            }
            // For people who look into the directory.
            byte[] process = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);
            channel.truncate(0).write(ByteBuffer.wrap(process), 0);
            return new DirectoryLock(channel);
        } catch (IOException e) {
            throw new EngineException("cannot write to the directory " + directory + ": " + FileFailure.reason(e), e);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new EngineException("cannot unlock the data directory: " + e.getMessage(), e);
        }
    }
}
