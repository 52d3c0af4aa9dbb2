package dev.semel.driver;

/** How a client uses its hosts. */
public enum ClusterConnectionMode {
    /** A single server; other members it reports are ignored. */
    SINGLE,
    /** Seeds: the other members are discovered. */
    MULTIPLE,
    LOAD_BALANCED
}
