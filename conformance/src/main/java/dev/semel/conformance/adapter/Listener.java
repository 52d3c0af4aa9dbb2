package dev.semel.conformance.adapter;

/** Receives all events of a client, on any thread. */
public interface Listener {
    void event(Event event);

    void log(LogEntry entry);
}
