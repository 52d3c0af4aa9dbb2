package dev.semel.driver.connection;

/** Marks the handshake of a connection that only watches a server: it neither authenticates nor compresses. */
public enum MonitorHello {
    MONITOR
}
