package dev.semel.query.pipeline;

import dev.semel.query.expression.Pausable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts items into an order, which must be a total one. What its budget has no room for goes to sorted runs on disk. With a limit it
 * keeps no more than the first of them. For one thread at a time.
 *
 * <pre>{@code
 * for (T item : input) sorter.add(item);
 * for (T item = sorter.next(); item != null; item = sorter.next()) visit(item);
 * }</pre>
 */
public final class Sorter<T> implements Pausable, AutoCloseable {
    private final Comparator<? super T> order;
    private final int limit;
    private final ToLongFunction<T> heapBytes;
    private final MemoryBudget budget;

    /** The worst one first, if there is a limit. */
    private final Collection<T> held;

    private final @Nullable SpilledRuns<T> runs;
    private @Nullable List<T> sorted;
    private int read;
    private long returned;
    private long added;
    private long addedBytes;

    /**
     * @param limit how many are wanted; 0 for all
     * @param heapBytes what an item takes
     * @param checkpoint called repeatedly while files are written and read; throws to end the work
     */
    public Sorter(
            Comparator<? super T> order,
            long limit,
            SpillFormat<T> format,
            ToLongFunction<T> heapBytes,
            MemoryBudget budget,
            Runnable checkpoint) {
        this.order = order;
        this.limit = limit > 0 && limit < Integer.MAX_VALUE ? (int) limit : 0;
        this.heapBytes = heapBytes;
        this.budget = budget;
        this.held = this.limit > 0 ? new PriorityQueue<>(order.reversed()) : new ArrayList<>();
        this.runs = budget.disk() == null ? null : new SpilledRuns<>(budget, format, order, checkpoint);
    }

    public void add(T item) {
        added++;
        if (limit > 0 && held.size() == limit && held instanceof PriorityQueue<T> queue) {
            T worst = queue.element();
            if (order.compare(item, worst) >= 0) {
                return;
            }
            queue.remove();
            budget.release(heapBytes.applyAsLong(worst));
        }
        long bytes = heapBytes.applyAsLong(item);
        addedBytes += bytes;
        if (!budget.tryCharge(bytes)) {
            spill();
            budget.charge(bytes);
        }
        held.add(item);
    }

    private void spill() {
        if (runs != null && !held.isEmpty()) {
            runs.add(inOrder());
            forget();
        }
    }

    private List<T> inOrder() {
        List<T> items = held instanceof List<T> list ? list : new ArrayList<>(held);
        items.sort(order);
        return items;
    }

    /** The next one in the order, null after the last. Nothing is added any more. */
    public @Nullable T next() {
        if (limit > 0 && returned == limit) {
            return null;
        }
        returned++;
        if (runs != null && !runs.isEmpty()) {
            spill();
            return runs.next();
        }
        List<T> items = sorted;
        if (items == null) {
            items = inOrder();
            sorted = items;
        }
        if (read < items.size()) {
            return items.get(read++);
        }
        if (read > 0) {
            forget();
            sorted = List.of();
            read = 0;
        }
        return null;
    }

    private void forget() {
        held.clear();
        budget.releaseAll();
    }

    /** What follows goes to disk if others may need the memory. */
    @Override
    public void pause() {
        List<T> items = sorted;
        if (runs != null && items != null && read < items.size() && budget.isWantedByOthers()) {
            runs.add(items.subList(read, items.size()));
            sorted = null;
            forget();
        }
    }

    /** Whether it is known, without looking, that nothing follows. */
    public boolean isExhausted() {
        return (limit > 0 && returned >= limit) || (sorted != null && read == sorted.size());
    }

    /** How many were added. */
    public long added() {
        return added;
    }

    /** What those took in the heap, one after the other, that were not left out because of the limit. */
    public long addedBytes() {
        return addedBytes;
    }

    /** How often memory was written to disk. */
    public long spills() {
        return budget.spilled().times();
    }

    /** What that took on disk. */
    public long spilledBytes() {
        return budget.spilled().diskBytes();
    }

    /** Lets go of everything; {@link #next} answers null from now on. */
    @Override
    public void close() {
        if (runs != null) {
            runs.close();
        }
        forget();
        sorted = List.of();
        read = 0;
    }
}
