package dev.semel.driver;

/** What the hosts given to a client are. */
public enum ClusterConnectionMode {
    /** One server, whatever it says of others. */
    SINGLE,
    /** Members of what they say they belong to. */
    MULTIPLE,
    LOAD_BALANCED
}
