package dev.semel.query.update;

import dev.semel.query.value.Collation;
import dev.semel.wire.bson.Value;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operators that put one value in another's place. */
final class FieldModifications {
    private FieldModifications() {}

    /** {@code $set}, and {@code $currentDate} with a date, which knows its value as well. */
    record Set(Value value) implements Modification {
        @Override
        public Value apply(@Nullable Value before, Site site) {
            return before != null && value.equals(before) ? before : value;
        }
    }

    /** {@code $currentDate} with a timestamp: no two are the same. */
    record SetTimestamp(Supplier<Value.Timestamp> timestamps) implements Modification {
        @Override
        public Value apply(@Nullable Value before, Site site) {
            return timestamps.get();
        }
    }

    record SetOnInsert(Value value) implements Modification {
        @Override
        public @Nullable Value apply(@Nullable Value before, Site site) {
            return site.inserting() ? value : before;
        }

        @Override
        public boolean toleratesImpossiblePath(Site site) {
            return !site.inserting();
        }
    }

    record Unset() implements Modification {
        @Override
        public @Nullable Value apply(@Nullable Value before, Site site) {
            return null;
        }

        @Override
        public boolean toleratesImpossiblePath(Site site) {
            return true;
        }
    }

    record Min(Value value, Collation collation) implements Modification {
        @Override
        public Value apply(@Nullable Value before, Site site) {
            return before != null && collation.compare(value, before) >= 0 ? before : value;
        }
    }

    record Max(Value value, Collation collation) implements Modification {
        @Override
        public Value apply(@Nullable Value before, Site site) {
            return before != null && collation.compare(value, before) <= 0 ? before : value;
        }
    }
}
