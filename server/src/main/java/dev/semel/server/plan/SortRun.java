package dev.semel.server.plan;

import dev.semel.query.expression.Metadata;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.pipeline.FieldsOnly;
import dev.semel.query.pipeline.MemoryBudget;
import dev.semel.query.pipeline.Sort;
import dev.semel.query.pipeline.Sorter;
import dev.semel.query.pipeline.SpillFormat;
import dev.semel.query.value.SortOrder;
import dev.semel.server.catalog.Index;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.Reservation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads its input to the end and puts it in order; with a limit it keeps no more than that many documents. What
 * memory has no room for is on disk meanwhile. */
final class SortRun extends DerivedRun {
    private static final int ITEM_BYTES = 64;

    private final SortOrder order;
    private final boolean sortsByMetadata;

    private final Reservation reservation;
    private final Sorter<Item> sorter;

    /** That entries were found in. */
    private final List<Index> indexes = new ArrayList<>(1);

    private @Nullable Item current;
    private boolean isRead;
    private long arrivals;

    private record Item(
            SortOrder.Key sortKey,
            long arrival,
            byte[] key,
            RawDocument document,
            byte @Nullable [] entryKey,
            @Nullable Index index,
            RawDocument metadata) {
        int bytes() {
            return ITEM_BYTES + key.length + document.length() + metadata.length();
        }
    }

    /** What is held of each document; null for all of it. */
    private final @Nullable FieldsOnly kept;

    SortRun(Run input, Plan.Sorted plan, Reading reading) {
        super(input, reading);
        Set<String> names = plan.kept();
        QueryMemory memory = plan.memory();
        this.order = new SortOrder(plan.by());
        this.sortsByMetadata = !plan.by().metadata().isEmpty();
        this.kept = names == null ? null : new FieldsOnly(names);
        this.reservation = memory.all().open();
        // By key, and among equals in the order of arrival.
        this.sorter = new Sorter<>(
                Comparator.comparing(Item::sortKey, order::compare).thenComparingLong(Item::arrival),
                plan.limit(),
                new Format(),
                Item::bytes,
                MemoryBudget.of(Sort.NAME, plan.allowDiskUse(), memory, reservation, reading::checkpoint),
                reading::checkpoint);
    }

    /** Arrival, number of the index (-1 for none), lengths of key and entry, then key, entry, document and metadata. */
    private final class Format implements SpillFormat<Item> {
        private static final int NONE = -1;

        @Override
        public List<ByteBuffer> parts(Item item) {
            byte[] entry = item.entryKey == null ? new byte[0] : item.entryKey;
            ByteBuffer head = ByteBuffer.allocate(Long.BYTES + 3 * Integer.BYTES)
                    .putLong(item.arrival)
                    .putInt(item.index == null ? NONE : number(item.index))
                    .putInt(item.key.length)
                    .putInt(item.entryKey == null ? NONE : entry.length);
            return List.of(
                    head.flip(),
                    ByteBuffer.wrap(item.key),
                    ByteBuffer.wrap(entry),
                    view(item.document),
                    view(item.metadata));
        }

        private static ByteBuffer view(RawDocument document) {
            return ByteBuffer.wrap(document.array(), document.offset(), document.length());
        }

        private int number(Index index) {
            int known = indexes.indexOf(index);
            if (known < 0) {
                indexes.add(index);
                return indexes.size() - 1;
            }
            return known;
        }

        @Override
        public Item fromBytes(byte[] record) {
            ByteBuffer in = ByteBuffer.wrap(record);
            long arrival = in.getLong();
            int index = in.getInt();
            byte[] key = new byte[in.getInt()];
            int entryLength = in.getInt();
            byte[] entry = entryLength == NONE ? null : new byte[entryLength];
            in.get(key);
            if (entry != null) {
                in.get(entry);
            }
            RawDocument document = RawDocument.view(record, in.position());
            RawDocument metadata = RawDocument.view(record, in.position() + document.length());
            return new Item(
                    key(document, metadata),
                    arrival,
                    key,
                    document,
                    entry,
                    index == NONE ? null : indexes.get(index),
                    metadata);
        }
    }

    @Override
    boolean move() {
        if (!isRead) {
            while (input().next()) {
                sorter.add(item());
            }
            if (reading().isSuspended()) {
                return false;
            }
            isRead = true;
            input().pause();
        }
        current = sorter.next();
        return current != null;
    }

    private SortOrder.Key key(RawDocument document, RawDocument metadata) {
        return order.key(sortsByMetadata ? Metadata.with(document, metadata) : document);
    }

    private Item item() {
        RawDocument whole = input().document();
        RawDocument document = kept == null ? whole : kept.of(whole);
        RawDocument metadata = input().metadata();
        return new Item(
                key(document, metadata),
                arrivals++,
                input().key(),
                document,
                input().entryKey(),
                input().index(),
                metadata);
    }

    @Override
    public void pause() {
        super.pause();
        sorter.pauseIfPossible();
    }

    @Override
    public void close() {
        sorter.close();
        super.close();
        isRead = true;
        current = null;
        reservation.close();
    }

    private Item current() {
        Item item = current;
        if (item == null) {
            throw new IllegalStateException("no document");
        }
        return item;
    }

    @Override
    public boolean isExhausted() {
        return isRead && sorter.isExhausted();
    }

    Sorter<?> sorter() {
        return sorter;
    }

    @Override
    public RawDocument document() {
        return current().document;
    }

    @Override
    public byte[] key() {
        return current().key;
    }

    @Override
    public RawDocument metadata() {
        return current().metadata;
    }

    @Override
    byte @Nullable [] entryKey() {
        return current().entryKey;
    }

    @Override
    @Nullable
    Index index() {
        return current().index;
    }
}
