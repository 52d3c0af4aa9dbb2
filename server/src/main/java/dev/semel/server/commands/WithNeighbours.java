package dev.semel.server.commands;

import dev.semel.server.command.Call;
import dev.semel.server.cursor.Documents;
import dev.semel.store.Snapshot;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/**
 * The documents at the beginning of a pipeline that reads other collections, too: these pause and go on with them.
 *
 * @param snapshot closed with the documents; null if they close it
 */
record WithNeighbours(
        Documents documents,
        Neighbours neighbours,
        @Nullable Snapshot snapshot) implements Documents {
    @Override
    public void resume(Call call) {
        documents.resume(call);
        neighbours.resume(call);
    }

    @Override
    public @Nullable RawDocument next() {
        return documents.next();
    }

    @Override
    public boolean atEnd() {
        return documents.atEnd();
    }

    @Override
    public void pause() {
        documents.pause();
        neighbours.pause();
    }

    @Override
    public void close() {
        documents.close();
        if (snapshot != null) {
            snapshot.close();
        }
    }
}
