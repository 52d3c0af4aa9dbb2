package dev.semel.server.changes;

import dev.semel.server.command.Call;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Documents;
import dev.semel.server.oplog.OplogScan;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** The entries of the log as a collection's documents. */
final class OplogDocuments implements Documents {
    private final OplogScan scan;
    private final CurrentCall current;

    OplogDocuments(OplogScan scan, CurrentCall current) {
        this.scan = scan;
        this.current = current;
    }

    @Override
    public void resume(Call call) {
        current.set(call);
    }

    @Override
    public @Nullable RawDocument next() {
        current.run();
        return scan.next();
    }

    @Override
    public boolean atEnd() {
        return false;
    }

    @Override
    public void pause() {
        scan.pause();
    }

    @Override
    public void close() {
        scan.close();
    }
}
