package dev.semel.driver.model;

/** The approximate time between measurements of one source. */
public enum TimeSeriesGranularity {
    SECONDS,
    MINUTES,
    HOURS
}
