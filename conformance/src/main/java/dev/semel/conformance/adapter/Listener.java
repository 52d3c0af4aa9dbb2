package dev.semel.conformance.adapter;

/** Hears all that a client tells, on whatever thread. */
public interface Listener {
    void event(Event event);

    void log(LogEntry entry);
}
