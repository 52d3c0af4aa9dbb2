package dev.semel.store;

import java.util.ArrayList;
import java.util.List;

/** By how much a transaction changes the sizes of collections: a line for each run of changes of one, however long. */
final class Tallies {
    /** What a line takes in the heap. */
    private static final int LINE_HEAP_BYTES = 56;

    private final List<Line> lines = new ArrayList<>(1);

    private record Line(Tally tally, long documents, long bytes) {}

    /** A state to return to. */
    record Mark(int size, Tallies.@org.jspecify.annotations.Nullable Line last) {
        static final Mark NONE = new Mark(0, null);
    }

    void add(Tally tally, long documents, long bytes) {
        int last = lines.size() - 1;
        Line before = last < 0 ? null : lines.get(last);
        if (before != null && before.tally == tally) {
            lines.set(last, new Line(tally, before.documents + documents, before.bytes + bytes));
        } else {
            lines.add(new Line(tally, documents, bytes));
        }
    }

    Mark mark() {
        return lines.isEmpty() ? Mark.NONE : new Mark(lines.size(), lines.getLast());
    }

    void truncate(Mark mark) {
        lines.subList(mark.size, lines.size()).clear();
        if (mark.last != null) {
            lines.set(mark.size - 1, mark.last);
        }
    }

    void addTo(Tally which, Tally into) {
        for (Line each : lines) {
            if (each.tally == which) {
                into.add(each.documents, each.bytes);
            }
        }
    }

    long heapBytes() {
        return (long) LINE_HEAP_BYTES * lines.size();
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    void apply() {
        for (Line each : lines) {
            each.tally.add(each.documents, each.bytes);
        }
    }

    void clear() {
        lines.clear();
    }
}
