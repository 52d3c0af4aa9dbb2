package dev.semel.query.pipeline;

import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillSpace;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorted runs on disk, and their items as one sequence. Of equal items, those of an earlier run come first. Several runs of about
 * the same size are merged into one, so the number of open files and of buffers stays small, and an item is written
 * as often as the logarithm of the number of runs says. The larger the items, the fewer runs are merged at a time.
 */
final class SpilledRuns<T> implements AutoCloseable {
    private static final int FAN_IN_MAX = 16;
    private static final int FAN_IN_MIN = 2;

    private final SpillSpace disk;
    private final MemoryBudget budget;
    private final SpillFormat<T> format;
    private final Comparator<? super T> order;
    private final Runnable checkpoint;

    /** Oldest first. */
    private final List<Run> runs = new ArrayList<>();

    private int largestRecord;
    private @Nullable Merged merged;

    /** How often what it holds has been merged. */
    private record Run(SpilledRun file, int level) {}

    /** With a budget for what merging holds, in which there is a disk. */
    SpilledRuns(MemoryBudget budget, SpillFormat<T> format, Comparator<? super T> order, Runnable checkpoint) {
        SpillSpace space = budget.disk();
        if (space == null) {
            throw new IllegalArgumentException("nowhere to spill to");
        }
        this.disk = space;
        this.budget = budget;
        this.format = format;
        this.order = order;
        this.checkpoint = checkpoint;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    /** Adds items that are in order. */
    void add(Iterable<T> sorted) {
        long records = 0;
        long recordBytes = 0;
        try (SpillWriter writer = disk.write()) {
            for (T item : sorted) {
                checkpoint.run();
                List<ByteBuffer> record = format.parts(item);
                int length = record.stream().mapToInt(ByteBuffer::remaining).sum();
                writer.add(record);
                largestRecord = Math.max(largestRecord, length);
                records++;
                recordBytes += length;
            }
            SpilledRun file = writer.finish();
            runs.add(new Run(file, 0));
            budget.noteSpill(records, recordBytes, file.diskBytes());
        }
        for (int last = sameLevel(); last >= fanIn(); last = sameLevel()) {
            mergeLast(last);
        }
    }

    private int fanIn() {
        return Math.clamp(budget.bytesMax() / headBytes(), FAN_IN_MIN, FAN_IN_MAX);
    }

    /** What merging holds of one run. */
    private long headBytes() {
        return SpillSpace.BUFFER_BYTES + largestRecord;
    }

    /** How many of the newest runs are of one level. */
    private int sameLevel() {
        int level = runs.getLast().level;
        int count = 1;
        while (count < runs.size() && runs.get(runs.size() - 1 - count).level == level) {
            count++;
        }
        return count;
    }

    private void mergeLast(int count) {
        List<Run> newest = runs.subList(runs.size() - count, runs.size());
        int level = newest.getFirst().level + 1;
        budget.charge(count * headBytes());
        try (SpillWriter writer = disk.write()) {
            Merged all = new Merged(newest);
            while (all.next() != null) {
                checkpoint.run();
                all.copyTo(writer);
            }
            SpilledRun file = writer.finish();
            newest.forEach(each -> each.file.close());
            newest.clear();
            runs.add(new Run(file, level));
        } finally {
            budget.release(count * headBytes());
        }
    }

    /** The next item of all; null after the last. Nothing is added any more. */
    @Nullable
    T next() {
        Merged all = merged;
        if (all == null) {
            while (runs.size() > fanIn()) {
                mergeLast(Math.min(fanIn(), runs.size() - fanIn() + 1));
            }
            budget.charge(runs.size() * headBytes());
            all = new Merged(runs);
            merged = all;
        }
        return all.next();
    }

    @Override
    public void close() {
        runs.forEach(each -> each.file.close());
        runs.clear();
    }

    private final class Merged {
        private final PriorityQueue<Head> heads;
        private @Nullable Head current;

        Merged(List<Run> all) {
            Comparator<Head> byItem = (a, b) -> order.compare(a.item(), b.item());
            heads = new PriorityQueue<>(byItem.thenComparingInt(head -> head.number));
            for (int i = 0; i < all.size(); i++) {
                Head head = new Head(all.get(i).file.read(), i);
                if (head.advance()) {
                    heads.add(head);
                }
            }
        }

        @Nullable
        T next() {
            Head before = current;
            if (before != null && before.advance()) {
                heads.add(before);
            }
            Head head = heads.poll();
            current = head;
            return head == null ? null : head.item();
        }

        /** The current item as it stands in its run. */
        void copyTo(SpillWriter writer) {
            Head head = current;
            if (head != null) {
                writer.add(head.reader.array(), head.reader.offset(), head.reader.length());
            }
        }
    }

    private final class Head {
        private final SpillReader reader;
        private final int number;
        private @Nullable T item;

        Head(SpillReader reader, int number) {
            this.reader = reader;
            this.number = number;
        }

        boolean advance() {
            boolean has = reader.next();
            item = has ? format.fromBytes(reader.copy()) : null;
            return has;
        }

        T item() {
            T now = item;
            if (now == null) {
                throw new IllegalStateException("no item");
            }
            return now;
        }
    }
}
