package dev.semel.store.spill;

import dev.semel.store.EngineException;
import dev.semel.store.ScratchSpace;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.FileFailure;
import dev.semel.wire.spill.SpillWriter;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The temporary files of one server, in a folder of their own, which is there only once it is needed.
 */
public final class SpillFiles implements ScratchSpace, AutoCloseable {
    /** Under the directory of the data. */
    public static final String FOLDER = "_tmp";

    /** After how many more bytes the free space of the disk is looked at again. */
    private static final long FREE_SPACE_STEP_BYTES = 16 << 20;

    private final Path folder;
    private final SpillLimits limits;
    private final AtomicLong names = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong peakBytes = new AtomicLong();
    private final AtomicLong files = new AtomicLong();
    private final AtomicLong writtenBytes = new AtomicLong();

    /** What may still be written before the free space is looked at. */
    private final AtomicLong allowance = new AtomicLong();

    private SpillFiles(Path folder, SpillLimits limits) {
        this.folder = folder;
        this.limits = limits;
    }

    /** In a folder that is nobody else's; what is left there by another process is deleted. */
    public static SpillFiles open(Path folder, SpillLimits limits) {
        clear(folder);
        return new SpillFiles(folder, limits);
    }

    @Override
    public SpillWriter write() {
        if (bytes.get() >= limits.bytesMax().getAsLong()) {
            throw full();
        }
        return new RunWriter(newFile());
    }

    @Override
    public ScratchSpace.Folder openFolder() {
        if (bytes.get() >= limits.bytesMax().getAsLong()) {
            throw full();
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw failure("create", e);
        }
        files.incrementAndGet();
        return new SpillFolder(this, folder.resolve(Long.toString(names.incrementAndGet())));
    }

    SpillFile newFile() {
        try {
            Files.createDirectories(folder);
            FileChannel channel = FileChannel.open(
                    folder.resolve(Long.toString(names.incrementAndGet())),
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE);
            files.incrementAndGet();
            return new SpillFile(this, channel);
        } catch (IOException e) {
            throw failure("create", e);
        }
    }

    /** Before that many bytes are written. */
    void reserve(long more) {
        long now = bytes.addAndGet(more);
        if (now > limits.bytesMax().getAsLong()) {
            bytes.addAndGet(-more);
            throw full();
        }
        if (allowance.addAndGet(-more) < 0) {
            try {
                requireFreeSpace();
            } catch (CommandException e) {
                bytes.addAndGet(-more);
                throw e;
            }
        }
        peakBytes.accumulateAndGet(now, Math::max);
        writtenBytes.addAndGet(more);
    }

    private void requireFreeSpace() {
        long free;
        try {
            free = Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            throw failure("look at", e);
        }
        long least = limits.freeBytesMin().getAsLong();
        if (free - FREE_SPACE_STEP_BYTES < least) {
            throw new CommandException(
                    ErrorCode.OutOfDiskSpace,
                    "Failed to write temporary files: available disk space of %d bytes is less than required minimum"
                            + " of %d bytes",
                    free,
                    least);
        }
        allowance.set(FREE_SPACE_STEP_BYTES);
    }

    private CommandException full() {
        return new CommandException(
                ErrorCode.OutOfDiskSpace,
                "Temporary files exceed the limit of %d bytes set by the parameter %s, of which %d are in use",
                limits.bytesMax().getAsLong(),
                limits.parameter(),
                bytes.get());
    }

    void closed(long fileBytes) {
        files.decrementAndGet();
        bytes.addAndGet(-fileBytes);
    }

    /** As an error of the command alone: the data is elsewhere. */
    CommandException failure(String what, IOException e) {
        if (e instanceof ClosedByInterruptException) {
            return new CommandException(ErrorCode.Interrupted, "operation was interrupted");
        }
        boolean isFull = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("no space");
        return new CommandException(
                isFull ? ErrorCode.OutOfDiskSpace : ErrorCode.InternalError,
                "cannot %s a temporary file in %s: %s",
                what,
                folder,
                FileFailure.reason(e));
    }

    public SpillStatistics statistics() {
        return new SpillStatistics(bytes.get(), peakBytes.get(), files.get(), names.get(), writtenBytes.get());
    }

    public long bytesMax() {
        return limits.bytesMax().getAsLong();
    }

    /** Removes the folder. Runs that are still open lose their names with it, and their space when they are closed. */
    @Override
    public void close() {
        clear(folder);
    }

    private static void clear(Path folder) {
        if (Files.isDirectory(folder)) {
            remove(folder);
        }
    }

    static void remove(Path folder) {
        try (Stream<Path> left = Files.walk(folder)) {
            for (Path each : left.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new EngineException(
                    "cannot clear the folder for temporary files " + folder + ": " + FileFailure.reason(e), e);
        }
    }
}
