package dev.semel.store;

import dev.semel.wire.spill.SpillSpace;
import java.nio.file.Path;

/** Where transactions put what they have written and the heap does not hold. For any thread. */
public interface ScratchSpace extends SpillSpace {
    /** For files that an engine writes. {@code OutOfDiskSpace} if there is no room for any. */
    Folder openFolder();

    /** A folder of its own for one user. */
    interface Folder extends AutoCloseable {
        /** It does not exist yet. */
        Path path();

        /** Before that many bytes are written; {@code OutOfDiskSpace} if there is no room for them. */
        void reserve(long more);

        /** Removes it with what is in it; a second call does nothing. */
        @Override
        void close();
    }
}
