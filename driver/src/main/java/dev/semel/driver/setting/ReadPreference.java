package dev.semel.driver.setting;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** Which members of a replica set may answer a read. Of the tag sets, the first that any member matches is used. */
public record ReadPreference(
        Mode mode,
        List<Map<String, String>> tagSets,
        @Nullable Duration maxStaleness) {
    public enum Mode {
        PRIMARY("primary"),
        PRIMARY_PREFERRED("primaryPreferred"),
        SECONDARY("secondary"),
        SECONDARY_PREFERRED("secondaryPreferred"),
        NEAREST("nearest");

        private final String label;

        Mode(String label) {
            this.label = label;
        }

        /** The name on the wire and in connection strings. */
        public String label() {
            return label;
        }

        /** Parses a name, regardless of case. */
        public static Optional<Mode> named(String name) {
            return Arrays.stream(values())
                    .filter(each -> each.label.equalsIgnoreCase(name))
                    .findFirst();
        }
    }

    private static final ReadPreference PRIMARY = of(Mode.PRIMARY);
    private static final ReadPreference PRIMARY_PREFERRED = of(Mode.PRIMARY_PREFERRED);
    private static final ReadPreference SECONDARY = of(Mode.SECONDARY);
    private static final ReadPreference SECONDARY_PREFERRED = of(Mode.SECONDARY_PREFERRED);
    private static final ReadPreference NEAREST = of(Mode.NEAREST);

    public ReadPreference {
        tagSets = List.copyOf(tagSets);
        if (mode == Mode.PRIMARY && tagSets.stream().anyMatch(each -> !each.isEmpty())) {
            throw new IllegalArgumentException("Read preference primary does not go with tag sets");
        }
        if (mode == Mode.PRIMARY && maxStaleness != null) {
            throw new IllegalArgumentException("Read preference primary does not go with maxStalenessSeconds");
        }
    }

    public static ReadPreference of(Mode mode) {
        return new ReadPreference(mode, List.of(), null);
    }

    public static ReadPreference primary() {
        return PRIMARY;
    }

    public static ReadPreference primaryPreferred() {
        return PRIMARY_PREFERRED;
    }

    public static ReadPreference secondary() {
        return SECONDARY;
    }

    public static ReadPreference secondaryPreferred() {
        return SECONDARY_PREFERRED;
    }

    public static ReadPreference nearest() {
        return NEAREST;
    }

    public ReadPreference withTagSets(List<Map<String, String>> sets) {
        return new ReadPreference(mode, sets, maxStaleness);
    }

    public ReadPreference withMaxStaleness(@Nullable Duration staleness) {
        return new ReadPreference(mode, tagSets, staleness);
    }

    public boolean isPrimary() {
        return mode == Mode.PRIMARY;
    }

    /** As a value of {@code $readPreference}. */
    public BsonDocument toDocument() {
        var document = new BsonDocument("mode", new BsonString(mode.label()));
        if (!tagSets.isEmpty()) {
            var sets = new BsonArray();
            for (var each : tagSets) {
                var tags = new BsonDocument();
                each.forEach((name, value) -> tags.put(name, new BsonString(value)));
                sets.add(tags);
            }
            document.put("tags", sets);
        }
        if (maxStaleness != null) {
            document.put("maxStalenessSeconds", new BsonInt64(maxStaleness.toSeconds()));
        }
        return document;
    }
}
