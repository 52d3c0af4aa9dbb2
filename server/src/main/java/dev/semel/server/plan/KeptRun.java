package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.Reservation;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A run whose first results were read in a trial: it gives these, then goes on. */
final class KeptRun extends Run {
    private final Run run;
    private final Queue<Row> rows = new ArrayDeque<>();
    private final Reservation reservation;
    private @Nullable Row current;

    /**
     * A result.
     *
     * @param document null if nobody looks at it
     */
    record Row(
            byte[] key,
            @Nullable RawDocument document,
            byte @Nullable [] entryKey,
            @Nullable Index index,
            RawDocument metadata) {
        private static final long BYTES = 96;

        static Row of(Run run, boolean withDocument) {
            return new Row(
                    run.key(),
                    withDocument ? run.document() : null,
                    run.entryKey(),
                    run.index(),
                    withDocument ? run.metadata() : RawDocument.EMPTY);
        }

        long bytes() {
            return BYTES + key.length + (document == null ? 0 : document.length());
        }
    }

    /** Takes over the run, and the reservation for the rows. */
    KeptRun(Run run, List<Row> rows, Reservation reservation) {
        super(run.reading());
        this.run = run;
        this.rows.addAll(rows);
        this.reservation = reservation;
    }

    /** Without the results that were kept, for its statistics. */
    Run run() {
        return run;
    }

    @Override
    boolean move() {
        current = rows.poll();
        if (current != null) {
            return true;
        }
        reservation.close();
        return run.next();
    }

    @Override
    public boolean isExhausted() {
        return rows.isEmpty() && run.isExhausted();
    }

    @Override
    public RawDocument document() {
        Row row = current;
        if (row == null) {
            return run.document();
        }
        RawDocument document = row.document;
        if (document == null) {
            throw new IllegalStateException("no document");
        }
        return document;
    }

    @Override
    public byte[] key() {
        Row row = current;
        return row == null ? run.key() : row.key;
    }

    @Override
    public RawDocument metadata() {
        Row row = current;
        return row == null ? run.metadata() : row.metadata;
    }

    @Override
    byte @Nullable [] entryKey() {
        Row row = current;
        return row == null ? run.entryKey() : row.entryKey;
    }

    @Override
    @Nullable
    Index index() {
        Row row = current;
        return row == null ? run.index() : row.index;
    }

    @Override
    public void pause() {
        run.pause();
    }

    @Override
    public long keysExamined() {
        return run.keysExamined();
    }

    @Override
    public long documentsExamined() {
        return run.documentsExamined();
    }

    @Override
    void addExtents(List<Extent> extents) {
        run.addExtents(extents);
    }

    @Override
    public void close() {
        rows.clear();
        reservation.close();
        run.close();
    }
}
