package dev.semel.conformance.adapter;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A driver under test. */
public interface Driver {
    String name();

    /**
     * What this driver has no means for, with the reason: {@code collection.count} is an operation of an entity,
     * {@code find.rawData} an argument of an operation, {@code event.x} an event. Cases that need it are skipped, for this
     * reason.
     */
    Map<String, String> missing();

    Driven open(ClientOptions options, Listener listener);

    /** What an operation's exception says, or null if the driver did not throw it. */
    @Nullable
    Failure describe(Throwable thrown);
}
