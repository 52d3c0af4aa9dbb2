package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.server.catalog.Index;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Several scans of indexes, each in the order wanted, as one scan in that order. Each shows its next entry; only the document
 * of the first of these is looked at, so that a limit leaves all others unread.
 */
final class MergeRun extends PositionedRun {
    private final List<Input> inputs = new ArrayList<>();

    /** That have shown their next entry. */
    private final Queue<Input> shown = new PriorityQueue<>();

    /** That have to show it before it is known which is the first. */
    private final Queue<Input> toMove = new ArrayDeque<>();

    /** Null if no two scans can lead to the same document. */
    private final @Nullable Seen seen;

    private @Nullable Input current;

    MergeRun(Plan.Merge plan, Reading reading) {
        super(reading);
        this.seen = plan.mayRepeat() ? new Seen(plan.memory()) : null;
        for (Plan.IndexScan scan : plan.scans()) {
            inputs.add(new Input(scan, new EntryOrder(scan.bounds(), plan.by()), inputs.size()));
        }
        toMove.addAll(inputs);
    }

    /** One of the scans. */
    final class Input implements Comparable<Input> {
        private final Plan.IndexScan scan;
        private final EntryOrder order;
        private final int number;
        private final KeyScan keys;
        private final boolean takesAll;

        /** Documents that this scan has led to before; null if it leads to each only once. */
        private final @Nullable Seen looked;

        private byte[] sortKey = {};
        private boolean atEnd;
        private long entries;
        private long fetched;

        private Input(Plan.IndexScan scan, EntryOrder order, int number) {
            this.scan = scan;
            this.order = order;
            this.number = number;
            this.keys = new KeyScan(scan.index(), scan.range(), scan.reverse(), reading());
            this.takesAll = scan.filter() instanceof Filter.Always(boolean answer) && answer;
            this.looked = scan.bounds().isMultikey() ? new Seen(scan.memory()) : null;
        }

        private boolean move() {
            if (!keys.next()) {
                return false;
            }
            entries++;
            sortKey = order.key(keys.key());
            return true;
        }

        /** The document its entry leads to; null if it does not match, or was looked at before. */
        private @Nullable RawDocument matching(byte[] found) {
            if (looked != null && !looked.add(found)) {
                return null;
            }
            Index index = scan.index();
            byte[] bytes = reading()
                    .snapshot()
                    .get(
                            index.hasDocuments() ? index.table() : Table.DOCUMENTS,
                            index.hasDocuments() ? keys.key() : found);
            if (bytes == null) {
                throw new IllegalStateException("an entry of " + index + " leads to no document");
            }
            if (!index.isPrimary()) {
                reading().fetched(found);
            }
            if (index.isPrimary() || !index.hasDocuments()) {
                fetched++;
            }
            RawDocument document = RawDocument.of(bytes);
            return takesAll || scan.filter().matches(document) ? document : null;
        }

        long keysExamined() {
            return keys.examined();
        }

        long documentsExamined() {
            return fetched;
        }

        long entries() {
            return entries;
        }

        boolean atEnd() {
            return atEnd;
        }

        @Override
        public int compareTo(Input other) {
            int order = EntryOrder.compare(sortKey, other.sortKey);
            return order != 0 ? order : Integer.compare(number, other.number);
        }
    }

    @Override
    boolean move() {
        while (haveAllMoved()) {
            Input first = shown.poll();
            if (first == null) {
                return false;
            }
            current = first;
            toMove.add(first);
            byte[] found = first.scan.index().documentKey(first.keys.key());
            if (seen != null && seen.contains(found)) {
                continue;
            }
            RawDocument document = first.matching(found);
            if (document != null) {
                if (seen != null) {
                    seen.add(found);
                }
                standOn(found, document);
                return true;
            }
        }
        return false;
    }

    /** False if the run was suspended in the middle. */
    private boolean haveAllMoved() {
        for (Input next = toMove.peek(); next != null; next = toMove.peek()) {
            if (next.move()) {
                shown.add(next);
            } else if (reading().isSuspended()) {
                return false;
            } else {
                next.atEnd = true;
                next.keys.close();
            }
            toMove.remove();
        }
        return true;
    }

    List<Input> inputs() {
        return inputs;
    }

    @Override
    byte @Nullable [] entryKey() {
        Input from = current;
        return from == null ? null : from.keys.key();
    }

    @Override
    @Nullable
    Index index() {
        Input from = current;
        return from == null ? null : from.scan.index();
    }

    @Override
    public long keysExamined() {
        return inputs.stream().mapToLong(Input::keysExamined).sum();
    }

    @Override
    public long documentsExamined() {
        return inputs.stream().mapToLong(Input::documentsExamined).sum();
    }

    @Override
    void addExtents(List<Extent> extents) {
        for (Input each : inputs) {
            extents.add(new Extent(each.scan.index().table(), each.keys.looked(each.atEnd)));
            Extents.addArrays(each.scan.bounds(), extents);
        }
    }

    @Override
    public void pause() {
        inputs.forEach(each -> each.keys.close());
    }

    @Override
    public void close() {
        super.close();
        if (seen != null) {
            seen.close();
        }
        inputs.stream().map(each -> each.looked).filter(Objects::nonNull).forEach(Seen::close);
    }
}
