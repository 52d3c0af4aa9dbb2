package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.query.pipeline.FieldsOnly;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.LargeValues;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every document of a collection. On disk, where each has to be copied out of the engine, only the fields that are needed are copied
 * into an array of their own.
 */
final class CollectionRun extends PositionedRun {
    /** Shorter ones are as soon copied whole. */
    private static final int BYTES_MIN = 256;

    private final Plan.CollectionScan plan;
    private final boolean takesAll;
    private final boolean needsNothing;
    private final TableScan scan;

    /** What is copied of each document; null for all of it. */
    private final @Nullable FieldsOnly kept;

    CollectionRun(Plan.CollectionScan plan, Reading reading) {
        super(reading);
        this.plan = plan;
        this.takesAll = plan.filter() instanceof Filter.Always(boolean answer) && answer;
        this.scan = new TableScan(Table.DOCUMENTS, plan.collection().documents(), plan.reverse(), reading);
        Set<String> needed = plan.needed();
        this.needsNothing = needed != null && needed.isEmpty();
        this.kept = needed == null ? null : new FieldsOnly(needed);
    }

    @Override
    boolean move() {
        while (scan.next()) {
            if (takesAll || plan.filter().matches(scan.transientValue(), 0)) {
                standOn(null, found());
                return true;
            }
        }
        return false;
    }

    private RawDocument found() {
        if (needsNothing) {
            return RawDocument.EMPTY;
        }
        FieldsOnly some = kept;
        if (some == null || scan.hasValuesAtHand()) {
            return RawDocument.of(scan.value());
        }
        RawDocument whole = RawDocument.of(scan.transientValue());
        boolean isWorthIt = whole.length() >= BYTES_MIN && !LargeValues.isLarge(whole.length());
        return isWorthIt ? some.of(whole) : RawDocument.of(scan.value());
    }

    @Override
    public byte[] key() {
        return scan.key();
    }

    @Override
    public long documentsExamined() {
        return scan.examined();
    }

    @Override
    void addExtents(List<Extent> extents) {
        extents.add(new Extent(Table.DOCUMENTS, scan.looked(atEnd())));
    }

    @Override
    public void pause() {
        scan.close();
    }
}
