package dev.semel.server.changes;

import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/**
 * Between which times all entries lie that a filter can match, so that the last minute of a log is found without a full scan.
 *
 * @param after excluded
 * @param upTo included
 */
record TimeBounds(long after, long upTo) {
    private static final TimeBounds ALL = new TimeBounds(0, -1);

    static TimeBounds of(RawDocument filter) {
        TimeBounds bounds = ALL;
        for (Element condition : filter) {
            if (condition.name().equals("ts")) {
                bounds = bounds.and(condition.value());
            } else if (condition.name().equals("$and") && condition.value() instanceof Value.Array(RawDocument all)) {
                for (Element each : all) {
                    if (each.value() instanceof Value.Doc(RawDocument inner)) {
                        bounds = bounds.and(of(inner));
                    }
                }
            }
        }
        return bounds;
    }

    private TimeBounds and(Value condition) {
        if (condition instanceof Value.Timestamp(long time)) {
            return and(new TimeBounds(time - 1, time));
        }
        TimeBounds bounds = this;
        if (condition instanceof Value.Doc(RawDocument operators)) {
            for (Element each : operators) {
                if (each.value() instanceof Value.Timestamp(long time)) {
                    bounds = bounds.and(operator(each.name(), time));
                }
            }
        }
        return bounds;
    }

    /** Without one below the first time there is: that matches nothing, and is left to the filter. */
    private static TimeBounds operator(String name, long time) {
        return switch (name) {
            case "$eq" -> time == 0 ? ALL : new TimeBounds(time - 1, time);
            case "$gt" -> new TimeBounds(time, -1);
            case "$gte" -> time == 0 ? ALL : new TimeBounds(time - 1, -1);
            case "$lt" -> time == 0 ? ALL : new TimeBounds(0, time - 1);
            case "$lte" -> new TimeBounds(0, time);
            default -> ALL;
        };
    }

    private TimeBounds and(TimeBounds other) {
        return new TimeBounds(
                Long.compareUnsigned(after, other.after) > 0 ? after : other.after,
                Long.compareUnsigned(upTo, other.upTo) < 0 ? upTo : other.upTo);
    }
}
