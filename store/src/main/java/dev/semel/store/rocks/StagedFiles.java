package dev.semel.store.rocks;

import dev.semel.store.EngineException;
import dev.semel.store.Staged;
import dev.semel.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The rows of a large commit, a file for each table, as the engine takes them in. */
final class StagedFiles implements Staged {
    private final Map<Table, Path> files;
    private volatile boolean mayBeAnnounced;

    StagedFiles(Map<Table, Path> files) {
        this.files = files;
    }

    Map<Table, Path> files() {
        return files;
    }

    /** From here on the next start may need them, whatever happens. */
    void announcing() {
        mayBeAnnounced = true;
    }

    /** What has been taken in is not here any more. */
    @Override
    public void close() {
        if (mayBeAnnounced) {
            return;
        }
        try {
            for (Path each : files.values()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new EngineException("cannot remove a staged file: " + e.getMessage(), e);
        }
    }
}
