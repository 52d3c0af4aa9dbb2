package dev.semel.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A commit whose rows are not in the heap, on their way to the files that the engine ingests: first documents and index
 * entries, then those of the operation log, for which cluster times are kept so that their keys are known.
 */
final class SpilledCommit implements RowSource {
    private final WriteSet written;
    private final ClusterClock clock;
    private final long term;
    private @Nullable CommitDraft draft;

    SpilledCommit(WriteSet written, ClusterClock clock, long term) {
        this.written = written;
        this.clock = clock;
        this.term = term;
    }

    @Override
    public void applyTo(Batch.Target files) {
        written.writes().addTo(files, Transactions::isStaged);
        CommitDraft rest = CommitDraft.ahead(clock.keepAhead(), term, files);
        written.addTo(rest, table -> !Transactions.isStaged(table));
        draft = rest;
    }

    /** What the commit has beside the files, which it was handed to. */
    CommitDraft draft(Staged prepared) {
        CommitDraft complete = Objects.requireNonNull(draft);
        complete.staged(new CommitDraft.StagedRows(null, prepared));
        return complete;
    }
}
