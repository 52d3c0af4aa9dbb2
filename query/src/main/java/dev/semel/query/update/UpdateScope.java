package dev.semel.query.update;

import dev.semel.query.filter.FilterScope;
import dev.semel.wire.bson.Value;
import java.util.function.Supplier;

/**
 * What an update is parsed in.
 *
 * @param filters for array filters, {@code $pull}'s conditions and the expressions of a pipeline
 * @param now what {@code $currentDate} writes as a date; the same for a whole statement
 * @param timestamps what {@code $currentDate} writes as a timestamp, and what an empty timestamp at the top of a
 *     replacement becomes: another one for each field of each document
 * @param keepsEmptyTimestamps whether those of a replacement stay
 */
public record UpdateScope(
        FilterScope filters, Value.Date now, Supplier<Value.Timestamp> timestamps, boolean keepsEmptyTimestamps) {}
