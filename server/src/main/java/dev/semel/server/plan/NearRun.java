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
import java.util.Arrays;
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

    /** All keys of this cell have been read at the beginning; null if there is no such cell. */
    private @Nullable Cell known;

    /** How many keys there can be in the smallest cell around the centre that has too many, unsigned, and how far it reaches. */
    private long crowdedKeys = -1;

    private double crowdedDistance = -1;

    private final @Nullable Seen seen;
    private final Reservation reservation;
    private final MemoryBudget budget;
    private final double least;
    private final double most;
    private boolean begun;
    private long arrivals;
    private long keys;
    private long fetched;

    /** What the documents take that wait for their turn. */
    private long waitingBytes;

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

    /** A document that is read again when its turn comes. */
    private record Place(double distance, long order, byte[] entry, byte[] key) implements Step {
        @Override
        public int bytes() {
            return STEP_BYTES + entry.length + key.length;
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
                case Area area -> look(area);
                case Lead lead -> follow(lead);
                case Place place -> {
                    arrive(read(place));
                    return true;
                }
                case Arrival arrival -> {
                    waitingBytes -= arrival.bytes();
                    arrive(arrival);
                    return true;
                }
            }
        }
        return false;
    }

    private void arrive(Arrival arrival) {
        current = arrival;
        standOn(arrival.key, arrival.document);
    }

    private void add(Step step) {
        budget.charge(step.bytes());
        queue.add(step);
    }

    private void begin() {
        if (hasOrderOfCells()) {
            readAround(cells.around(near.centre()));
        }
        cells.all().forEach(this::addArea);
    }

    /** Whether keys that are next to each other in a cell are so in the index. */
    private boolean hasOrderOfCells() {
        return plan.bounds().fields().subList(0, plan.column()).stream().allMatch(Intervals::isPoint);
    }

    /**
     * Reads keys to both sides of the centre, always the ones in the smaller cell around it, until it has more than one cell may
     * have. So it finds out which of the cells around the centre have too many, and has read the largest one that has not.
     *
     * @param around each within the next one
     */
    private void readAround(List<Cell> around) {
        long centre = around.getFirst().low();
        Cell all = around.getLast();
        List<byte[]> entries = new ArrayList<>();
        int[] sizes = new int[CELL_KEYS_MAX + 1];
        try (Side behind = new Side(around, centre, all.high(), false);
                Side before = centre == all.low() ? null : new Side(around, all.low(), centre - 1, true)) {
            while (entries.size() <= CELL_KEYS_MAX) {
                Side nearer = before != null && before.size < behind.size ? before : behind;
                if (nearer.size == around.size()) {
                    break;
                }
                sizes[entries.size()] = nearer.size;
                entries.add(nearer.scan.key());
                nearer.move();
            }
            keys += behind.scan.examined() + (before == null ? 0 : before.scan.examined());
        }
        int tooLarge = entries.size() > CELL_KEYS_MAX ? sizes[CELL_KEYS_MAX] : around.size();
        crowded.addAll(around.subList(tooLarge, around.size()));
        if (tooLarge < around.size()) {
            Cell smallest = around.get(tooLarge);
            crowdedKeys = smallest.high() - smallest.low();
            crowdedDistance = smallest.most(near);
        }
        if (tooLarge == 0) {
            return;
        }
        int read = 0;
        while (read < entries.size() && sizes[read] < tooLarge) {
            read++;
        }
        entries.subList(0, read).stream().sorted(Arrays::compareUnsigned).forEach(this::lead);
        known = around.get(tooLarge - 1);
    }

    /** The keys on one side of the centre. */
    private final class Side implements AutoCloseable {
        private final List<Cell> around;
        private final KeyScan scan;

        /** The place of the smallest cell with the current key; behind the last one, there are as many cells as that. */
        private int size;

        Side(List<Cell> around, long low, long high, boolean reverse) {
            this.around = around;
            this.scan = scan(low, high, reverse);
            move();
        }

        void move() {
            if (!scan.next()) {
                size = around.size();
                return;
            }
            long key = index.cellKey(scan.key(), plan.column());
            while (around.get(size).low() > key || around.get(size).high() < key) {
                size++;
            }
        }

        @Override
        public void close() {
            scan.close();
        }
    }

    private void addArea(Cell cell) {
        if (cell.equals(known)) {
            return;
        }
        double distance = cell.least(near);
        if (distance <= most && (least <= 0 || cell.most(near) >= least)) {
            add(new Area(distance, arrivals++, cell));
        }
    }

    private void look(Area area) {
        Cell cell = area.cell;
        List<Cell> parts = cell.parts();
        if (parts.isEmpty()) {
            read(cell, Integer.MAX_VALUE);
        } else if (crowded.remove(cell) || isLikelyCrowded(area) || !read(cell, CELL_KEYS_MAX)) {
            parts.forEach(this::addArea);
            cell.own().ifPresent(own -> read(own, own, Integer.MAX_VALUE));
        }
    }

    /** As large as a neighbour that has too many keys. */
    private boolean isLikelyCrowded(Area area) {
        return area.distance <= crowdedDistance
                && Long.compareUnsigned(area.cell.high() - area.cell.low(), crowdedKeys) >= 0;
    }

    private boolean read(Cell cell, int keysMax) {
        return read(cell.low(), cell.high(), keysMax);
    }

    /** False if there are more keys, of which none has been taken. */
    private boolean read(long low, long high, int keysMax) {
        try (KeyScan scan = scan(low, high, false)) {
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

    private KeyScan scan(long low, long high, boolean reverse) {
        Intervals range = Intervals.closed(Value.of(low), Value.of(high));
        KeyBounds bounds = KeyBounds.of(plan.bounds().with(plan.column(), range));
        return new KeyScan(index, bounds, reverse, reading());
    }

    private void follow(Lead lead) {
        byte[] key = index.documentKey(lead.entry);
        if (seen != null && !seen.add(key)) {
            return;
        }
        reading().fetched(key);
        RawDocument document = read(key);
        fetched++;
        Locations.Nearest nearest = Locations.nearest(path, document, near);
        if (nearest == null || nearest.distance() < near.least() || nearest.distance() > near.most()) {
            return;
        }
        boolean takesAll = plan.filter() instanceof Filter.Always(boolean answer) && answer;
        if (takesAll || plan.filter().matches(document)) {
            enqueue(new Arrival(nearest.distance(), arrivals++, lead.entry, key, document, nearest));
        }
    }

    /** A few large documents, or very many at one place, would take all memory. */
    private void enqueue(Arrival arrival) {
        if (waitingBytes + arrival.bytes() <= budget.bytesMax() / 2) {
            waitingBytes += arrival.bytes();
            add(arrival);
        } else {
            add(new Place(arrival.distance, arrival.order, arrival.entry, arrival.key));
        }
    }

    private Arrival read(Place place) {
        RawDocument document = read(place.key);
        Locations.Nearest nearest = Locations.nearest(path, document, near);
        if (nearest == null) {
            throw new IllegalStateException("no place in a document that had one");
        }
        return new Arrival(place.distance, place.order, place.entry, place.key, document, nearest);
    }

    private RawDocument read(byte[] key) {
        byte[] bytes = reading().snapshot().get(Table.DOCUMENTS, key);
        if (bytes == null) {
            throw new IllegalStateException("an entry of " + index + " leads to no document");
        }
        return RawDocument.of(bytes);
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
