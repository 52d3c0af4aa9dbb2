package dev.semel.server.plan;

import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.Filter;
import dev.semel.query.geo.Cell;
import dev.semel.query.geo.CellSpace;
import dev.semel.query.geo.Locations;
import dev.semel.query.geo.NearQuery;
import dev.semel.query.pipeline.MemoryBudget;
import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Index;
import dev.semel.store.Table;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.Reservation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The documents around a point, the nearest first, by a search that always goes on where something could be nearest: a
 * queue has cells that were not looked at, entries whose documents were not read, and documents whose distance is known,
 * each by the least distance that it can have. A document at the head of the queue is the next result. A cell with many
 * entries is divided and not read, so that the search reads little beyond its results, wherever documents are dense.
 */
final class NearRun extends PositionedRun {
    /** Cells with more keys than this are divided. */
    private static final int CELL_KEYS_MAX = 24;

    private static final int STEP_BYTES = 96;

    /** Computed distances to cells and to what they enclose differ by rounding. */
    private static final double ROUNDING = 1e-12;

    private final Plan.Near plan;
    private final NearQuery near;
    private final Index index;
    private final CellSpace cells;
    private final DottedPath path;
    private final PriorityQueue<Step> queue = new PriorityQueue<>();
    private final Set<Cell> crowded = new HashSet<>();
    private final @Nullable Seen seen;
    private final Reservation reservation;
    private final MemoryBudget budget;
    private final double least;
    private final double most;
    private boolean begun;
    private long arrivals;
    private long keys;
    private long fetched;
    private @Nullable Arrival current;

    /** What the search may go on with, from a distance on; of equal ones the first that was found. */
    private sealed interface Step extends Comparable<Step> {
        double distance();

        long order();

        @Override
        default int compareTo(Step other) {
            int byDistance = Double.compare(distance(), other.distance());
            return byDistance != 0 ? byDistance : Long.compare(order(), other.order());
        }

        default int bytes() {
            return STEP_BYTES;
        }
    }

    private record Area(double distance, long order, Cell cell) implements Step {}

    private record Lead(double distance, long order, byte[] entry) implements Step {
        @Override
        public int bytes() {
            return STEP_BYTES + entry.length;
        }
    }

    private record Arrival(
            double distance, long order, byte[] entry, byte[] key, RawDocument document, Locations.Nearest nearest)
            implements Step {
        @Override
        public int bytes() {
            return STEP_BYTES + entry.length + key.length + document.length();
        }
    }

    NearRun(Plan.Near plan, Reading reading) {
        super(reading);
        this.plan = plan;
        this.near = plan.query();
        this.index = plan.index();
        this.cells = index.cells();
        this.path = index.paths().get(plan.column());
        this.seen = plan.bounds().isMultikey() ? new Seen(plan.memory()) : null;
        this.reservation = plan.memory().all().open();
        this.budget = MemoryBudget.inMemory("Geo near", plan.memory(), reservation);
        this.least = near.least() * (1 - ROUNDING);
        this.most = near.most() * (1 + ROUNDING);
    }

    @Override
    boolean move() {
        if (!begun) {
            begun = true;
            begin();
        }
        for (Step step = queue.poll(); step != null; step = queue.poll()) {
            budget.release(step.bytes());
            switch (step) {
                case Area area -> look(area.cell);
                case Lead lead -> follow(lead);
                case Arrival arrival -> {
                    current = arrival;
                    standOn(arrival.key, arrival.document);
                    return true;
                }
            }
        }
        return false;
    }

    private void add(Step step) {
        budget.charge(step.bytes());
        queue.add(step);
    }

    /** Which cells around the centre have too many keys to be read is found out from the middle of their sizes. */
    private void begin() {
        List<Cell> around = cells.around(near.centre());
        int low = 0;
        int high = around.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isCrowded(around.get(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        crowded.addAll(around.subList(low, around.size()));
        cells.all().forEach(this::addArea);
    }

    private boolean isCrowded(Cell cell) {
        try (KeyScan scan = scan(cell.low(), cell.high())) {
            int found = 0;
            while (found <= CELL_KEYS_MAX && scan.next()) {
                found++;
            }
            keys += scan.examined();
            return found > CELL_KEYS_MAX;
        }
    }

    private void addArea(Cell cell) {
        double distance = cell.least(near);
        if (distance <= most && cell.most(near) >= least) {
            add(new Area(distance, arrivals++, cell));
        }
    }

    private void look(Cell cell) {
        List<Cell> parts = cell.parts();
        if (parts.isEmpty()) {
            read(cell, Integer.MAX_VALUE);
        } else if (crowded.remove(cell) || !read(cell, CELL_KEYS_MAX)) {
            parts.forEach(this::addArea);
            cell.own().ifPresent(own -> read(own, own, Integer.MAX_VALUE));
        }
    }

    private boolean read(Cell cell, int keysMax) {
        return read(cell.low(), cell.high(), keysMax);
    }

    /** False if there are more keys, of which none has been taken. */
    private boolean read(long low, long high, int keysMax) {
        try (KeyScan scan = scan(low, high)) {
            List<byte[]> found = new ArrayList<>();
            while (scan.next()) {
                if (keysMax == Integer.MAX_VALUE) {
                    lead(scan.key());
                } else if (found.size() == keysMax) {
                    keys += scan.examined();
                    return false;
                } else {
                    found.add(scan.key());
                }
            }
            keys += scan.examined();
            found.forEach(this::lead);
            return true;
        }
    }

    private void lead(byte[] entry) {
        double distance = cells.of(index.cellKey(entry, plan.column())).least(near);
        if (distance <= most) {
            add(new Lead(distance, arrivals++, entry));
        }
    }

    private KeyScan scan(long low, long high) {
        Intervals range = Intervals.closed(Value.of(low), Value.of(high));
        KeyBounds bounds = KeyBounds.of(plan.bounds().with(plan.column(), range));
        return new KeyScan(index, bounds, false, reading());
    }

    private void follow(Lead lead) {
        byte[] key = index.documentKey(lead.entry);
        if (seen != null && !seen.add(key)) {
            return;
        }
        reading().fetched(key);
        byte[] bytes = reading().snapshot().get(Table.DOCUMENTS, key);
        if (bytes == null) {
            throw new IllegalStateException("an entry of " + index + " leads to no document");
        }
        fetched++;
        RawDocument document = RawDocument.of(bytes);
        Locations.Nearest nearest = Locations.nearest(path, document, near);
        if (nearest == null || nearest.distance() < near.least() || nearest.distance() > near.most()) {
            return;
        }
        boolean takesAll = plan.filter() instanceof Filter.Always(boolean answer) && answer;
        if (takesAll || plan.filter().matches(document)) {
            add(new Arrival(nearest.distance(), arrivals++, lead.entry, key, document, nearest));
        }
    }

    @Override
    public Locations.Nearest nearest() {
        return arrival().nearest;
    }

    @Override
    public RawDocument metadata() {
        Arrival arrival = arrival();
        return new BsonWriter()
                .put(Metadata.GEO_NEAR_DISTANCE, near.shown(arrival.distance))
                .put(Metadata.GEO_NEAR_POINT, arrival.nearest.location())
                .finish();
    }

    private Arrival arrival() {
        Arrival arrived = current;
        if (arrived == null) {
            throw new IllegalStateException("no document");
        }
        return arrived;
    }

    @Override
    byte @Nullable [] entryKey() {
        return arrival().entry;
    }

    @Override
    Index index() {
        return index;
    }

    @Override
    public long keysExamined() {
        return keys;
    }

    @Override
    public long documentsExamined() {
        return fetched;
    }

    @Override
    void addExtents(List<Extent> extents) {
        Extents.addWhole(plan.bounds(), extents);
    }

    @Override
    public void close() {
        super.close();
        queue.clear();
        reservation.close();
        if (seen != null) {
            seen.close();
        }
    }
}
