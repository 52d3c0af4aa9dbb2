package dev.semel.store.rocks;

import dev.semel.store.EngineException;
import dev.semel.wire.FileFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Puts a checkpoint into the place of a data directory's content. What a folder in the directory is called says how far it has
 * come, so opening the directory after a crash finds the old data or finishes the replacement:
 *
 * <pre>
 * checkpoint.copying   the checkpoint is being linked or copied here; the old data counts
 * checkpoint.ready     it is complete and on disk: the engine's old files are deleted
 * checkpoint.moving    there are none any more: its files move into the directory
 * </pre>
 */
final class Replacement {
    private static final String COPYING = "checkpoint.copying";
    private static final String READY = "checkpoint.ready";
    private static final String MOVING = "checkpoint.moving";

    /** Never changed once they are written, so that two directories may share them. */
    private static final String SHARED = ".sst";

    private static final Pattern ENGINE_FILE =
            Pattern.compile("CURRENT|IDENTITY|LOG(\\.old.*)?|(MANIFEST|OPTIONS)-.*|.*\\.(sst|log|dbtmp|journal)");

    private final Path directory;

    /** Called after each step. */
    private final Runnable step;

    Replacement(Path directory, Runnable step) {
        this.directory = directory;
        this.step = step;
    }

    /** While nobody has the directory open. */
    void replace(Path checkpoint) {
        try {
            delete(directory.resolve(COPYING));
            Path copy = Files.createDirectories(directory.resolve(COPYING));
            for (Path each : files(checkpoint)) {
                linkOrCopy(each, copy.resolve(each.getFileName().toString()));
                step.run();
            }
            sync(copy);
            rename(COPYING, READY);
        } catch (IOException e) {
            throw failure(e);
        }
        finish();
    }

    /** What was begun and not finished. */
    void finish() {
        try {
            delete(directory.resolve(COPYING));
            if (Files.exists(directory.resolve(READY))) {
                deleteOld();
                rename(READY, MOVING);
            }
            Path moving = directory.resolve(MOVING);
            if (Files.exists(moving)) {
                for (Path each : files(moving)) {
                    Files.move(each, directory.resolve(each.getFileName().toString()), StandardCopyOption.ATOMIC_MOVE);
                    step.run();
                }
                sync(directory);
                Files.delete(moving);
                sync(directory);
            }
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private void deleteOld() throws IOException {
        for (Path each : files(directory)) {
            if (ENGINE_FILE.matcher(each.getFileName().toString()).matches()) {
                Files.delete(each);
                step.run();
            }
        }
        delete(directory.resolve(Ingestion.FOLDER));
        sync(directory);
    }

    private static void linkOrCopy(Path from, Path to) throws IOException {
        if (from.toString().endsWith(SHARED)) {
            try {
                Files.createLink(to, from);
                return;
            } catch (IOException | UnsupportedOperationException e) {
                // Another file system, or one without links.
            }
        }
        Files.copy(from, to);
        sync(to);
    }

    private void rename(String from, String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        sync(directory);
        step.run();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static void sync(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            DataDirectory.syncNames(file);
            return;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private EngineException failure(IOException cause) {
        return new EngineException(
                "cannot put a checkpoint into the directory " + directory + ": " + FileFailure.reason(cause), cause);
    }
}
