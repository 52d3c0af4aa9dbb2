package dev.semel.store.spill;

import dev.semel.store.ScratchSpace;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A folder for temporary files that somebody else writes and counts here. */
final class SpillFolder implements ScratchSpace.Folder {
    private final SpillFiles owner;
    private final Path path;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    SpillFolder(SpillFiles owner, Path path) {
        this.owner = owner;
        this.path = path;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public void reserve(long more) {
        owner.reserve(more);
        bytes.addAndGet(more);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                SpillFiles.remove(path);
            } finally {
                owner.closed(bytes.get());
            }
        }
    }
}
