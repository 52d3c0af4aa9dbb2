package dev.semel.server.catalog;

import dev.semel.store.LateEntry;
import dev.semel.store.Stamp;

/** By how much a collection grows when the transaction that has written to it commits. */
record SizeChange(Size size, long documents, long bytes) implements LateEntry {
    @Override
    public void write(Stamp stamp) {
        size.add(documents, bytes);
    }
}
