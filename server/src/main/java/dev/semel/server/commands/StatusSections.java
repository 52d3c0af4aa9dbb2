package dev.semel.server.commands;

import dev.semel.server.cursor.Cursors;
import dev.semel.store.Transactions;
import dev.semel.store.lock.LockStatistics;
import dev.semel.store.spill.SpillFiles;
import dev.semel.store.spill.SpillStatistics;
import dev.semel.wire.bson.BsonWriter;
import java.util.Map;
import java.util.function.Consumer;

/** The sections of {@code serverStatus} that one part of the server knows alone. */
final class StatusSections {
    private StatusSections() {}

    static Map<String, Consumer<BsonWriter>> of(CommandParts with) {
        return Map.of(
                "cursors",
                cursorFigures(with.cursors()),
                "ft",
                lockFigures(with.transactions()),
                "opLatencies",
                out -> with.usage().latencies().write(false, out),
                "memoryAccount",
                with.memory()::describe,
                "temporaryFiles",
                spillFigures(with.spillFiles()));
    }

    private static Consumer<BsonWriter> spillFigures(SpillFiles files) {
        return out -> {
            SpillStatistics now = files.statistics();
            out.put("bytes", now.bytes())
                    .put("peakBytes", now.peakBytes())
                    .put("limit", files.bytesMax())
                    .put("parameter", "temporaryFileBytesMax")
                    .put("files", now.files())
                    .put("runs", now.runs())
                    .put("writtenBytes", now.writtenBytes());
        };
    }

    /** Under the names that TokuMX's monitoring knows; {@code ft} was its storage. */
    private static Consumer<BsonWriter> lockFigures(Transactions transactions) {
        return out -> {
            LockStatistics locks = transactions.lockStatistics();
            out.startDocument("locktree")
                    .startDocument("size")
                    .put("current", locks.bytes())
                    .put("limit", locks.bytesMax())
                    .end()
                    .end()
                    .startDocument("alerts")
                    .put("locktreeRequestsPending", locks.pending())
                    .startDocument("longWaitEvents")
                    .startDocument("locktreeWait")
                    .put("count", locks.longWaits())
                    .put("time", locks.longWaitMicros())
                    .end()
                    .startDocument("locktreeWaitEscalation")
                    .put("count", locks.escalations())
                    .put("time", locks.escalationMicros())
                    .end()
                    .end()
                    .end();
        };
    }

    private static Consumer<BsonWriter> cursorFigures(Cursors cursors) {
        return out -> {
            var counts = cursors.counts();
            out.put("totalOpened", counts.opened())
                    .put("timedOut", counts.timedOut())
                    .startDocument("open")
                    .put("total", counts.open())
                    .put("pinned", counts.inUse())
                    .put("noTimeout", counts.withoutTimeout())
                    .end()
                    .put("oldestSnapshotSecs", counts.oldest().toSeconds());
        };
    }
}
