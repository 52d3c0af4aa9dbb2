package dev.semel.store.rocks;

import dev.semel.store.EngineException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/**
 * RocksDB's. It is in the jar, and the system loads files only, so RocksDB copies it to a temporary file of 17 MB, which a process
 * that is killed would leave behind.
 */
final class NativeLibrary {
    private static final String PREFIX = "semel-rocksdb";

    private NativeLibrary() {}

    /** Leaves no file. Does nothing if it is loaded. Not part of a static initializer, so that a full disk is reported as such. */
    static void load() {
        try {
            Path folder = folder();
            try {
                NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new EngineException("cannot load the library of RocksDB: " + e, e);
        }
        // Finds it loaded.
        RocksDB.loadLibrary();
    }

    /** Where RocksDB would copy it to. */
    private static Path folder() throws IOException {
        String chosen = System.getenv("ROCKSDB_SHAREDLIB_DIR");
        return chosen == null ? Files.createTempDirectory(PREFIX) : Files.createTempDirectory(Path.of(chosen), PREFIX);
    }

    /** A loaded library needs no name in the file system; Windows keeps files that are in use. */
    private static void delete(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path each : files) {
                Files.delete(each);
            }
            Files.delete(folder);
        } catch (AccessDeniedException inUse) {
            // RocksDB has asked for its deletion at the end of the process.
        }
    }
}
