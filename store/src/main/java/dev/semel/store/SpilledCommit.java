package dev.semel.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A commit whose rows are not in the heap, on their way to the files that the engine ingests, and to other nodes: first documents
 * and index entries, then those of the operation log, for which cluster times are kept so that their keys are known.
 */
final class SpilledCommit implements RowSource {
    private final WriteSet written;
    private final ClusterClock clock;
    private final CommitLog log;

    /** Among the large commits of this node. */
    private final long number;

    private @Nullable CommitDraft draft;
    private @Nullable Chunks chunks;

    SpilledCommit(WriteSet written, ClusterClock clock, CommitLog log, long number) {
        this.written = written;
        this.clock = clock;
        this.log = log;
        this.number = number;
    }

    @Override
    public void applyTo(Batch.Target files) {
        long term = log.term();
        if (!log.isShared()) {
            draft = addTo(files, term);
            return;
        }
        try (ChunkWriter others = new ChunkWriter(log, files, term, number)) {
            draft = addTo(others, term);
            chunks = others.finish();
        }
    }

    private CommitDraft addTo(Batch.Target files, long term) {
        written.writes().addTo(files, Transactions::isStaged);
        CommitDraft rest = CommitDraft.ahead(clock.keepAhead(), term, files);
        written.addTo(rest, table -> !Transactions.isStaged(table));
        return rest;
    }

    /** The commit will not come. */
    void abandon() {
        if (chunks != null) {
            ChunkWriter.remove(log, chunks);
        }
    }

    /** What the commit has beside the files, which it was handed to. */
    CommitDraft draft(Staged prepared) {
        CommitDraft complete = Objects.requireNonNull(draft);
        complete.staged(new CommitDraft.StagedRows(null, prepared, chunks));
        return complete;
    }
}
