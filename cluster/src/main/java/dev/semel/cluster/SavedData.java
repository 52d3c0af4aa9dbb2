package dev.semel.cluster;

import dev.semel.store.LogPosition;
import dev.semel.store.Store;
import dev.semel.store.memory.MemoryStore;
import dev.semel.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The data of a member in a checkpoint of the consensus log: a folder with {@code data}, the checkpoint of the storage engine,
 * and {@code semel.properties}, which names its set and its position.
 *
 * @param set the name of the replica set
 * @param isPersistent whether the storage engine keeps its data on disk
 * @param position up to where the log is applied
 */
record SavedData(Path folder, String set, boolean isPersistent, LogPosition position) {
    private static final String FORMAT = "1";
    private static final String DESCRIPTION = "semel.properties";
    private static final String DATA = "data";

    static void write(Path folder, String set, Store store, LogPosition position) throws IOException {
        store.checkpoint(folder.resolve(DATA));
        Files.writeString(
                folder.resolve(DESCRIPTION),
                "format=%s%nset=%s%npersistent=%s%nterm=%d%nindex=%d%n"
                        .formatted(FORMAT, set, store.isPersistent(), position.term(), position.index()),
                StandardCharsets.ISO_8859_1);
    }

    static SavedData read(Path folder) throws IOException {
        Properties description = new Properties();
        try (var in = Files.newInputStream(folder.resolve(DESCRIPTION))) {
            description.load(in);
        }
        String format = description.getProperty("format");
        if (!FORMAT.equals(format)) {
            throw new IOException(
                    "the checkpoint %s has the format %s, this version of Semel reads %s: start the version that wrote it"
                            .formatted(folder, format, FORMAT));
        }
        try {
            return new SavedData(
                    folder,
                    description.getProperty("set", ""),
                    Boolean.parseBoolean(description.getProperty("persistent")),
                    new LogPosition(
                            Long.parseLong(description.getProperty("term")),
                            Long.parseLong(description.getProperty("index"))));
        } catch (NumberFormatException e) {
            throw new IOException("the checkpoint " + folder + " is damaged: " + e.getMessage(), e);
        }
    }

    boolean isNewerThan(LogPosition applied) {
        return position.index() > applied.index();
    }

    /** It must be of the same set, and of an engine of the same kind. */
    void check(String expectedSet, boolean expectedPersistent) throws IOException {
        if (!set.equals(expectedSet)) {
            throw new IOException("the checkpoint %s is of the replica set '%s', and this is a member of '%s'"
                    .formatted(folder, set, expectedSet));
        }
        if (isPersistent != expectedPersistent) {
            throw new IOException(
                    "the checkpoint %s is of a member with its data %s, and this one has it %s: all members need the same"
                            .formatted(folder, place(isPersistent), place(expectedPersistent)));
        }
    }

    private static String place(boolean isPersistent) {
        return isPersistent ? "on disk" : "in memory";
    }

    /** Replaces a member's data, which must not be open; null if that is in memory. */
    @Nullable
    Store install(@Nullable Path directory) {
        if (directory == null) {
            return MemoryStore.open(folder.resolve(DATA));
        }
        RocksStore.replace(directory, folder.resolve(DATA));
        return null;
    }
}
