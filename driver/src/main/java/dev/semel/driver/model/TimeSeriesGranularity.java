package dev.semel.driver.model;

/** About how far apart the measurements of one source are. */
public enum TimeSeriesGranularity {
    SECONDS,
    MINUTES,
    HOURS
}
