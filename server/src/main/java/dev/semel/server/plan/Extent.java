package dev.semel.server.plan;

import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;

/** Keys that an answer depends on, those included that are not there: another answer is possible only if one changes. */
public record Extent(Table table, KeyRange range) {}
