package dev.semel.store.rocks;

import dev.semel.store.EngineException;
import dev.semel.store.Staged;
import dev.semel.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The rows of a large commit, a file for each table, as the engine takes them in. */
record StagedFiles(Map<Table, Path> files) implements Staged {
    /** What has been taken in is not here any more. */
    @Override
    public void close() {
        try {
            for (Path each : files.values()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new EngineException("cannot remove a staged file: " + e.getMessage(), e);
        }
    }
}
