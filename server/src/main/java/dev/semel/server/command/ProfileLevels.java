package dev.semel.server.command;

import dev.semel.query.filter.Filter;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which operations each database keeps in its {@code system.profile}: forgotten at the end of the server, as in MongoDB. */
public final class ProfileLevels {
    private static final int DATABASES_MAX = 10_000;
    private static final int FILTER_BYTES_MAX = 16 << 10;

    private final Map<String, ProfileLevel> byDatabase = new ConcurrentHashMap<>();

    /**
     * Of one database.
     *
     * @param level 0 for no operations, 1 for those that are slow, or match the filter if there is one, 2 for all
     */
    public record ProfileLevel(int level, @Nullable FilterSetting filter) {
        private static final ProfileLevel OFF = new ProfileLevel(0, null);

        public ProfileLevel withLevel(int other) {
            return new ProfileLevel(other, filter);
        }

        public ProfileLevel withFilter(@Nullable FilterSetting other) {
            return new ProfileLevel(level, other);
        }
    }

    /**
     * A filter on entries, and how it was given.
     *
     * @param filter a new one for each use: with expressions it belongs to one thread
     */
    public record FilterSetting(Supplier<Filter> filter, RawDocument given) {
        public FilterSetting {
            if (given.length() > FILTER_BYTES_MAX) {
                throw new CommandException(
                        ErrorCode.BadValue, "the filter must not be larger than %d bytes", FILTER_BYTES_MAX);
            }
        }
    }

    public ProfileLevel of(String database) {
        return byDatabase.isEmpty() ? ProfileLevel.OFF : byDatabase.getOrDefault(database, ProfileLevel.OFF);
    }

    public void set(String database, ProfileLevel level) {
        if (level.equals(ProfileLevel.OFF)) {
            byDatabase.remove(database);
            return;
        }
        if (byDatabase.size() >= DATABASES_MAX && !byDatabase.containsKey(database)) {
            throw new CommandException(
                    ErrorCode.BadValue, "at most %d databases can have a profile level", DATABASES_MAX);
        }
        byDatabase.put(database, level);
    }
}
