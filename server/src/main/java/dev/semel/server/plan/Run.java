package dev.semel.server.plan;

import dev.semel.query.geo.Locations;
import dev.semel.server.catalog.Index;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan that is running: one document after the other. For one thread at a time; which one may change at a pause.
 *
 * <pre>{@code
 * try (Run run = plan.open(snapshot, interruption)) {
 *     while (run.next()) visit(run.key(), run.document());
 * }
 * }</pre>
 */
public abstract sealed class Run implements AutoCloseable
        permits Runs.None, IdRun, KeptRun, PositionedRun, UnionRun, DerivedRun {
    private final Reading reading;

    /** How often {@link #next} said yes. */
    private long advanced;

    private long works;
    private boolean atEnd;

    Run(Reading reading) {
        this.reading = reading;
    }

    Reading reading() {
        return reading;
    }

    /** Moves to the next document; false after the last. */
    public final boolean next() {
        if (atEnd) {
            return false;
        }
        works++;
        if (move()) {
            advanced++;
            return true;
        }
        atEnd |= !reading.isSuspended();
        return false;
    }

    /** False at the end, and where the reading was suspended. */
    abstract boolean move();

    /** Whether it is known, without looking, that nothing follows: a limit has been reached. */
    public boolean isExhausted() {
        return atEnd;
    }

    /** The current document; not for a query that said it would look at none. */
    public abstract RawDocument document();

    /** The current document's key in {@link dev.semel.store.Table#DOCUMENTS}. */
    public abstract byte[] key();

    /** What {@code returnKey} wants: the values in the index entry that led here; empty if no index was used. */
    public RawDocument indexKey() {
        byte[] entry = entryKey();
        Index index = index();
        RawDocument shown = entry == null || index == null ? null : index.shownKey(entry, document());
        return shown == null ? RawDocument.EMPTY : shown;
    }

    /** What is known of the current document beside its fields, by the names of {@link dev.semel.query.expression.Metadata}. */
    public RawDocument metadata() {
        return RawDocument.EMPTY;
    }

    /** Where the current document was found, and how far from there; null unless that was asked for. */
    public Locations.@Nullable Nearest nearest() {
        return null;
    }

    abstract byte @Nullable [] entryKey();

    abstract @Nullable Index index();

    /** Gives back what is dear to keep; {@link #next} goes on at the same place. */
    public void pause() {}

    /** Before going on for another command. */
    public final void resume(Interruption interruption) {
        reading.runUnder(interruption);
    }

    /** Index keys and documents looked at so far, all stages together. */
    public abstract long keysExamined();

    public abstract long documentsExamined();

    /** What it has looked at in the order of its keys, so far: what lies before that and is not there, included. */
    abstract void addExtents(List<Extent> extents);

    long advanced() {
        return advanced;
    }

    long works() {
        return works;
    }

    boolean atEnd() {
        return atEnd;
    }

    @Override
    public void close() {
        pause();
    }
}
