package dev.semel.driver.logging;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;

/** Writes the messages that the settings and the loggers let through. Asking whether they do costs next to nothing. */
public final class Log {
    private static final String ELLIPSIS = "...";

    private final LoggerSettings settings;
    private final Listeners<LogListener> listeners;
    private final Map<LogComponent, System.Logger> loggers = new EnumMap<>(LogComponent.class);

    public Log(LoggerSettings settings) {
        this.settings = settings;
        LogListener listener = settings.listener();
        listeners = new Listeners<>(listener == null ? List.of() : List.of(listener));
        for (LogComponent each : LogComponent.values()) {
            loggers.put(each, System.getLogger("dev.semel.driver." + each.label()));
        }
    }

    public boolean isOn(LogComponent component, Level level) {
        Level least = settings.levels().get(component);
        if (least != null && level.getSeverity() < least.getSeverity()) {
            return false;
        }
        return !listeners.isEmpty() || logger(component).isLoggable(level);
    }

    private System.Logger logger(LogComponent component) {
        return Objects.requireNonNull(loggers.get(component));
    }

    public void write(LogMessage message) {
        listeners.tell(each -> each.log(message));
        logger(message.component()).log(message.level(), message::toString, message.failure());
    }

    /** A document as it stands in a message. */
    String text(BsonDocument document) {
        int max = settings.maxDocumentLength();
        // One character more than is shown proves that there is more, whatever the size of the document.
        var json = JsonWriterSettings.builder().outputMode(JsonMode.RELAXED);
        String text = document.toJson((max >= Integer.MAX_VALUE - 2 ? json : json.maxLength(max + 2)).build());
        return cut(text, max);
    }

    /** Never through the middle of a character. */
    static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = max > 0 && Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end) + ELLIPSIS;
    }

    static double ms(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    /** The fields of a message; a null value is no field. */
    static final class Fields {
        private final Map<String, Object> values = new LinkedHashMap<>();

        Fields with(String name, @Nullable Object value) {
            if (value != null) {
                values.put(name, value);
            }
            return this;
        }

        Map<String, Object> values() {
            return values;
        }
    }
}
