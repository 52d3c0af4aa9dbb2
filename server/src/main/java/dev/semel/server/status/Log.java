package dev.semel.server.status;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the server reports: to {@link System.Logger}, whose destination is the embedding program's business, and to the
 * last lines that {@code getLog} shows. Each event is logged once, where it is known best.
 */
public final class Log {
    /** As many as MongoDB keeps. */
    private static final int LINES_MAX = 1024;

    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<String> lines = new ArrayDeque<>();
    private final ArrayDeque<String> warnings = new ArrayDeque<>();
    private final Map<Component, System.Logger> loggers = new EnumMap<>(Component.class);
    private long total;

    /** The component of the server; its name is the {@code c} of a line and the end of the logger's name. */
    public enum Component {
        ACCESS,
        COMMAND,
        CONTROL,
        INDEX,
        NETWORK,
        REPL,
        STORAGE
    }

    public Log(InstantSource clock) {
        this.clock = clock;
        for (Component each : Component.values()) {
            loggers.put(each, System.getLogger("dev.semel." + each.name().toLowerCase(Locale.ROOT)));
        }
    }

    private System.Logger logger(Component component) {
        return Objects.requireNonNull(loggers.get(component));
    }

    public boolean isDebug(Component component) {
        return logger(component).isLoggable(System.Logger.Level.DEBUG);
    }

    public void debug(Component component, String context, String message, RawDocument attributes) {
        if (isDebug(component)) {
            write(System.Logger.Level.DEBUG, component, context, message, attributes, null);
        }
    }

    public void info(Component component, String context, String message, RawDocument attributes) {
        write(System.Logger.Level.INFO, component, context, message, attributes, null);
    }

    public void warning(Component component, String context, String message, RawDocument attributes) {
        write(System.Logger.Level.WARNING, component, context, message, attributes, null);
    }

    /** A warning that {@code getLog: "startupWarnings"} repeats for as long as the server runs. */
    public void startupWarning(String message) {
        keep(warnings, line("W", Component.CONTROL, "main", message, RawDocument.EMPTY));
        warning(Component.CONTROL, "main", message, RawDocument.EMPTY);
    }

    public void error(Component component, String context, String message, @Nullable Throwable cause) {
        RawDocument attributes = cause == null
                ? RawDocument.EMPTY
                : new BsonWriter().put("error", String.valueOf(cause)).finish();
        write(System.Logger.Level.ERROR, component, context, message, attributes, cause);
    }

    private void write(
            System.Logger.Level level,
            Component component,
            String context,
            String message,
            RawDocument attributes,
            @Nullable Throwable cause) {
        keep(lines, line(letter(level), component, context, message, attributes));
        if (logger(component).isLoggable(level)) {
            String text = "[" + context + "] " + message + (attributes.isEmpty() ? "" : " " + Json.relaxed(attributes));
            if (cause == null) {
                logger(component).log(level, text);
            } else {
                logger(component).log(level, text, cause);
            }
        }
    }

    private static String letter(System.Logger.Level level) {
        return switch (level) {
            case ERROR -> "E";
            case WARNING -> "W";
            case DEBUG, TRACE -> "D1";
            default -> "I";
        };
    }

    private String line(String letter, Component component, String context, String message, RawDocument attributes) {
        BsonWriter line = new BsonWriter(128 + attributes.length())
                .put("t", new Value.Date(clock.millis()))
                .put("s", letter)
                .put("c", component.name())
                .put("ctx", context)
                .put("msg", message);
        return Json.relaxed((attributes.isEmpty() ? line : line.put("attr", attributes)).finish());
    }

    private void keep(ArrayDeque<String> into, String line) {
        lock.lock();
        try {
            if (into.size() == LINES_MAX) {
                into.removeFirst();
            }
            into.addLast(line);
            total++;
        } finally {
            lock.unlock();
        }
    }

    /** The last lines, oldest first, and how many there have been. */
    public record Lines(List<String> last, long total) {}

    public Lines global() {
        lock.lock();
        try {
            return new Lines(List.copyOf(lines), total);
        } finally {
            lock.unlock();
        }
    }

    public Lines startupWarnings() {
        lock.lock();
        try {
            return new Lines(List.copyOf(warnings), warnings.size());
        } finally {
            lock.unlock();
        }
    }
}
