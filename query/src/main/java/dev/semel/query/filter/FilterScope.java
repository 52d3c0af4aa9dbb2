package dev.semel.query.filter;

import java.util.random.RandomGenerator;

/** What a filter is parsed in: the chance that {@code $sampleRate} draws from. */
public record FilterScope(RandomGenerator random) {}
