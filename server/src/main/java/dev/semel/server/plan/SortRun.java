package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.pipeline.MemoryBudget;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Index;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.Reservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Reads its input to the end and puts it in order; with a limit it keeps no more than that many documents. */
final class SortRun extends DerivedRun {
    private static final int ITEM_BYTES = 64;

    private final SortOrder order;

    /** By key, and among equals in the order of arrival. */
    private final Comparator<Item> comparator;

    private final long limit;
    private final MemoryBudget budget;
    private final Reservation reservation;
    private @Nullable List<Item> sorted;
    private int next;
    private long arrivals;

    private record Item(
            SortOrder.Key sortKey,
            long arrival,
            byte[] key,
            RawDocument document,
            byte @Nullable [] entryKey,
            @Nullable Index index) {
        int bytes() {
            return ITEM_BYTES + key.length + document.length();
        }
    }

    SortRun(Run input, SortPattern by, long limit, long memoryBytesMax, QueryMemory memory, Reading reading) {
        super(input, reading);
        this.order = new SortOrder(by);
        this.comparator = Comparator.comparing(Item::sortKey, order::compare).thenComparingLong(Item::arrival);
        this.limit = limit;
        this.reservation = memory.all().open();
        this.budget = new MemoryBudget("Sort", memoryBytesMax, memory, reservation);
    }

    @Override
    boolean move() {
        List<Item> items = sorted;
        if (items == null) {
            items = limit > 0 && limit < Integer.MAX_VALUE ? top((int) limit) : all();
            input().pause();
            sorted = items;
        }
        return next++ < items.size();
    }

    private List<Item> all() {
        List<Item> items = new ArrayList<>();
        while (input().next()) {
            Item item = item();
            budget.charge(item.bytes());
            items.add(item);
        }
        items.sort(comparator);
        return items;
    }

    private List<Item> top(int count) {
        PriorityQueue<Item> kept = new PriorityQueue<>(comparator.reversed());
        while (input().next()) {
            Item item = item();
            if (kept.size() == count) {
                Item last = kept.element();
                if (comparator.compare(item, last) >= 0) {
                    continue;
                }
                kept.remove();
                budget.release(last.bytes());
            }
            budget.charge(item.bytes());
            kept.add(item);
        }
        List<Item> items = new ArrayList<>(kept);
        items.sort(comparator);
        return items;
    }

    private Item item() {
        RawDocument document = input().document();
        return new Item(order.key(document), arrivals++, input().key(), document, input().entryKey(), input().index());
    }

    @Override
    public void close() {
        super.close();
        sorted = List.of();
        reservation.close();
    }

    private Item current() {
        List<Item> items = sorted;
        if (items == null || next == 0 || next > items.size()) {
            throw new IllegalStateException("no document");
        }
        return items.get(next - 1);
    }

    @Override
    public boolean isExhausted() {
        List<Item> items = sorted;
        return items != null && next >= items.size();
    }

    long bytes() {
        return budget.bytes();
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
    byte @Nullable [] entryKey() {
        return current().entryKey;
    }

    @Override
    @Nullable
    Index index() {
        return current().index;
    }
}
