package dev.semel.query.update;

import dev.semel.query.filter.FilterScope;
import dev.semel.wire.bson.Value;

/**
 * What an update is parsed in.
 *
 * @param filters for array filters, {@code $pull}'s conditions and the expressions of a pipeline
 * @param now what {@code $currentDate} writes; the same for a whole statement
 * @param timestamp what {@code $currentDate} writes as a timestamp, and what an empty timestamp at the top of a
 *     replacement becomes
 */
public record UpdateScope(FilterScope filters, Value.Date now, Value.Timestamp timestamp) {}
