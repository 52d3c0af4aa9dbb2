package dev.semel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/**
 * Where the server's log goes and how much of it. The server logs through {@link System.Logger}, as whoever embeds it
 * expects; here, where the process is ours, the lines are MongoDB's structured ones.
 */
final class ServerLog {
    /** By the number of {@code -v}: the platform's finest level is the third. */
    private static final Level[] LEVELS = {Level.INFO, Level.FINE, Level.FINER, Level.FINEST};

    /** File names have no colons, so that they work on every system. */
    private static final DateTimeFormatter SUFFIX =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss").withZone(ZoneOffset.UTC);

    private ServerLog() {}

    static void open(StartOptions options) {
        var root = Logger.getLogger("");
        for (var handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        var level = options.is(StartOption.QUIET)
                ? Level.WARNING
                : LEVELS[Math.min(options.integer(StartOption.VERBOSITY), LEVELS.length - 1)];
        var handler = options.path(StartOption.LOG_PATH)
                .map(file -> file(file, options.is(StartOption.LOG_APPEND)))
                .orElseGet(ConsoleHandler::new);
        handler.setFormatter(new JsonLines());
        handler.setLevel(Level.ALL);
        root.addHandler(handler);
        root.setLevel(level);
    }

    private static Handler file(Path file, boolean append) {
        try {
            if (!append && Files.exists(file)) {
                var aside = file.resolveSibling(
                        file.getFileName() + "." + SUFFIX.format(Instant.now().truncatedTo(ChronoUnit.SECONDS)));
                Files.move(file, aside);
            }
            return new FlushedHandler(file);
        } catch (IOException e) {
            throw new BadOption("cannot write the log to " + file + ": " + e.getMessage());
        }
    }

    /** A line is in the file when the call that logged it returns. */
    private static final class FlushedHandler extends StreamHandler {
        FlushedHandler(Path file) throws IOException {
            super(Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND), new JsonLines());
        }

        @Override
        public void publish(LogRecord record) {
            super.publish(record);
            flush();
        }
    }
}
