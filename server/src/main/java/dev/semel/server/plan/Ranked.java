package dev.semel.server.plan;

import dev.semel.wire.bson.RawDocument;

/**
 * A plan that was tried.
 *
 * @param trial its statistics at the end of the trial, as {@code explain} shows them
 */
record Ranked(Contender contender, double score, RawDocument trial) {}
