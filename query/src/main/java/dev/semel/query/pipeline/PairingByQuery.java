package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pipeline for each document. */
final class PairingByQuery implements Pairing {
    private final Lookup lookup;
    private final Source in;
    private final Execution execution;
    private List<@Nullable Value> values = List.of();
    private @Nullable Source found;

    /** What the values take that are looked for. */
    private long keyBytes;

    PairingByQuery(Lookup lookup, Source in, Execution execution) {
        this.lookup = lookup;
        this.in = in;
        this.execution = execution;
    }

    @Override
    public @Nullable RawDocument document() {
        closeFound();
        keyBytes = execution.holdInstead(keyBytes, 0);
        RawDocument next = in.next();
        if (next != null) {
            execution.environment().checkpoint();
            keyBytes = execution.holdInstead(keyBytes, lookup.keyBytes(next));
            values = lookup.evaluated(next);
            lookup.bind(values);
            found = lookup.partners(next, execution);
        }
        return next;
    }

    @Override
    public @Nullable RawDocument partner() {
        Source open = found;
        if (open == null) {
            return null;
        }
        // Stages behind the lookup may have variables in the same place.
        lookup.bind(values);
        RawDocument next = open.next();
        if (next == null) {
            closeFound();
        }
        return next;
    }

    private void closeFound() {
        Source open = found;
        if (open != null) {
            found = null;
            open.close();
        }
    }

    @Override
    public void close() {
        closeFound();
        in.close();
    }
}
