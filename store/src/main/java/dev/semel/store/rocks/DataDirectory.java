package dev.semel.store.rocks;

import dev.semel.store.EngineException;
import dev.semel.store.Table;
import dev.semel.wire.FileFailure;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** What a directory has to be before an engine opens it. */
final class DataDirectory {
    private DataDirectory() {}

    /** Makes it if it does not exist, with the folders above it, so that they are there after a power loss. */
    static void prepare(Path directory) {
        try {
            List<Path> changed = thoseWithNewNames(directory);
            Files.createDirectories(directory);
            for (Path each : changed) {
                syncNamesIfReadable(each);
            }
        } catch (IOException e) {
            throw new EngineException("cannot create the directory " + directory + ": " + reason(directory, e), e);
        }
        refuseForeign(directory);
    }

    /** A folder may be open to new names and closed to readers, and then nobody can sync it. */
    private static void syncNamesIfReadable(Path folder) throws IOException {
        if (Files.isReadable(folder)) {
            syncNames(folder);
        }
    }

    private static List<Path> thoseWithNewNames(Path directory) {
        List<Path> changed = new ArrayList<>();
        Path parent = directory.toAbsolutePath();
        while (parent != null && Files.notExists(parent)) {
            parent = parent.getParent();
            if (parent != null) {
                changed.add(parent);
            }
        }
        return changed;
    }

    private static String reason(Path directory, IOException failure) {
        if (failure instanceof FileAlreadyExistsException) {
            return "it is not a folder";
        }
        // The folder above it may be the one at fault.
        return failure instanceof FileSystemException named
                        && named.getFile() != null
                        && !directory.endsWith(named.getFile())
                ? named.getFile() + ": " + FileFailure.reason(failure)
                : FileFailure.reason(failure);
    }

    /** A configuration file of mongod names mongod's data: starting empty among it would look like its loss. */
    private static void refuseForeign(Path directory) {
        if (Files.exists(directory.resolve("WiredTiger")) && !Files.exists(directory.resolve("CURRENT"))) {
            throw new EngineException(
                    "the directory " + directory + " holds the data of a mongod, which Semel cannot read");
        }
    }

    /** A table that we do not know would be left out of every batch's order; better not to touch it. */
    static void checkFamilies(Path directory) throws RocksDBException {
        Set<String> unknown = new TreeSet<>();
        try (Options plain = new Options()) {
            for (byte[] each : RocksDB.listColumnFamilies(plain, directory.toString())) {
                unknown.add(new String(each, StandardCharsets.UTF_8));
            }
        }
        unknown.remove(new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8));
        for (Table table : Table.values()) {
            unknown.remove(RocksStore.name(table));
        }
        if (!unknown.isEmpty()) {
            throw new EngineException("the directory " + directory
                    + " was not written by this version of Semel: it holds the tables " + unknown);
        }
    }

    /** What has been made or renamed in a folder is there after a power loss. */
    static void syncNames(Path folder) throws IOException {
        if (File.separatorChar == '\\') {
            // Windows cannot open folders; a rename is in its journal.
            return;
        }
        Uninterrupted.run(() -> {
            try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                names.force(true);
            }
        });
    }
}
