package dev.semel.server.plan;

import dev.semel.server.catalog.InsertionOrder;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import java.util.List;

/** Every document of a capped collection, in the order in which they were inserted. */
final class InsertionRun extends PositionedRun {
    private final Plan.CollectionScan plan;
    private final InsertionOrder order;
    private final TableScan scan;

    InsertionRun(Plan.CollectionScan plan, InsertionOrder order, Reading reading) {
        super(reading);
        this.plan = plan;
        this.order = order;
        this.scan = new TableScan(Table.INDEXES, order.entries(), plan.reverse(), reading);
    }

    @Override
    boolean move() {
        while (scan.next()) {
            byte[] found = order.documentKey(scan.key());
            byte[] bytes = reading().snapshot().get(Table.DOCUMENTS, found);
            if (bytes == null) {
                throw new IllegalStateException("a place in " + plan.collection() + " leads to no document");
            }
            if (plan.filter().matches(bytes, 0)) {
                standOn(found, RawDocument.of(bytes));
                return true;
            }
        }
        return false;
    }

    @Override
    public long documentsExamined() {
        return scan.examined();
    }

    /** Its order is not that of the documents' keys: whatever it has seen, all of them count as looked at. */
    @Override
    void addExtents(List<Extent> extents) {
        extents.add(new Extent(Table.DOCUMENTS, plan.collection().documents()));
    }

    @Override
    public void pause() {
        scan.close();
    }
}
