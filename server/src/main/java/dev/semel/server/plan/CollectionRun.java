package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every document of a collection. */
final class CollectionRun extends PositionedRun {
    private final Plan.CollectionScan plan;
    private final boolean takesAll;
    private final TableScan scan;
    private byte @Nullable [] found;

    CollectionRun(Plan.CollectionScan plan, Reading reading) {
        super(reading);
        this.plan = plan;
        this.takesAll = plan.filter() instanceof Filter.Always(boolean answer) && answer;
        this.scan = new TableScan(Table.DOCUMENTS, plan.collection().documents(), plan.reverse(), reading);
    }

    @Override
    boolean move() {
        while (scan.next()) {
            if (takesAll || plan.filter().matches(scan.transientValue(), 0)) {
                found = scan.key();
                standOn(found, RawDocument.of(scan.value()));
                return true;
            }
        }
        return false;
    }

    @Override
    public long documentsExamined() {
        return scan.examined();
    }

    @Override
    void addExtents(List<Extent> extents) {
        extents.add(new Extent(Table.DOCUMENTS, scan.looked(found, atEnd())));
    }

    @Override
    public void pause() {
        scan.close();
    }
}
