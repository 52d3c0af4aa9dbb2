package dev.semel.cli;

import dev.semel.wire.FileFailure;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/**
 * Where the server's log goes and how much of it. The server logs through {@link System.Logger}, as applications that embed
 * it expect; in this program the lines are MongoDB's structured ones, or text on a terminal.
 */
final class ServerLog {
    /** By the number of {@code -v}: the platform's finest level is the third. */
    private static final Level[] LEVELS = {Level.INFO, Level.FINE, Level.FINER, Level.FINEST};

    /** File names have no colons, so that they work on every system. */
    private static final DateTimeFormatter SUFFIX =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss").withZone(ZoneOffset.UTC);

    private static final System.Logger LOGGER = System.getLogger("dev.semel.control");

    private ServerLog() {}

    /** The environment says whether a terminal may be sent colours. */
    static void open(StartOptions options, Map<String, String> environment) {
        var root = Logger.getLogger("");
        for (var handler : root.getHandlers()) {
            root.removeHandler(handler);
        }
        var level = options.is(StartOption.QUIET)
                ? Level.WARNING
                : LEVELS[Math.min(options.integer(StartOption.VERBOSITY), LEVELS.length - 1)];
        boolean isWatched = options.path(StartOption.LOG_PATH).isEmpty() && Terminal.isWatched();
        var handler = options.path(StartOption.LOG_PATH)
                .map(file -> file(file, options.is(StartOption.LOG_APPEND)))
                .orElseGet(ServerLog::console);
        var format = options.given(StartOption.LOG_FORMAT).orElse(isWatched ? "text" : "json");
        handler.setFormatter(
                format.equals("text")
                        ? new TextLines(ZoneId.systemDefault(), isWatched && Terminal.hasColours(environment))
                        : new JsonLines());
        handler.setLevel(Level.ALL);
        root.addHandler(handler);
        root.setLevel(level);
    }

    /** For what the program itself has to say; the server says the rest. */
    static void info(String message, RawDocument attributes) {
        LOGGER.log(System.Logger.Level.INFO, text(message, attributes));
    }

    static void error(String message, RawDocument attributes) {
        LOGGER.log(System.Logger.Level.ERROR, text(message, attributes));
    }

    private static String text(String message, RawDocument attributes) {
        return "[main] " + message + (attributes.isEmpty() ? "" : " " + Json.relaxed(attributes));
    }

    private static Handler console() {
        var handler = new ConsoleHandler();
        try {
            handler.setEncoding(StandardCharsets.UTF_8.name());
        } catch (UnsupportedEncodingException e) {
            throw new IllegalStateException(e);
        }
        return handler;
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
            throw new BadOption("cannot write the log to " + file + ": " + FileFailure.reason(e));
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
