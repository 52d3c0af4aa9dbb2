package dev.semel.store;

import dev.semel.wire.Namespace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** By how much a transaction changes the sizes of collections: a line for each run of changes of one, however long. */
final class Tallies {
    /** What a line takes in the heap. */
    private static final int LINE_HEAP_BYTES = 64;

    private final List<Line> lines = new ArrayList<>(1);

    private record Line(int collection, Namespace namespace, long documents, long bytes) {
        boolean isOf(int otherCollection, Namespace otherNamespace) {
            return collection == otherCollection && namespace.equals(otherNamespace);
        }
    }

    /** A state to return to. */
    record Mark(int size, Tallies.@org.jspecify.annotations.Nullable Line last) {
        static final Mark NONE = new Mark(0, null);
    }

    void add(int collection, Namespace namespace, long documents, long bytes) {
        int last = lines.size() - 1;
        Line before = last < 0 ? null : lines.get(last);
        if (before != null && before.isOf(collection, namespace)) {
            lines.set(last, new Line(collection, namespace, before.documents + documents, before.bytes + bytes));
        } else {
            lines.add(new Line(collection, namespace, documents, bytes));
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

    /** The changes that have been reported for a collection and not been undone. */
    SizeChange of(int collection) {
        long documents = 0;
        long bytes = 0;
        for (Line each : lines) {
            if (each.collection == collection) {
                documents += each.documents;
                bytes += each.bytes;
            }
        }
        return new SizeChange(documents, bytes);
    }

    long heapBytes() {
        return (long) LINE_HEAP_BYTES * lines.size();
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** A fact for each collection, and one for each name it had. */
    void addTo(CommitDraft draft) {
        if (lines.size() == 1) {
            Line only = lines.getFirst();
            draft.add(new Fact.SizeChanged(only.collection, only.documents, only.bytes));
            draft.add(new Fact.Touched(only.namespace));
            return;
        }
        Map<Integer, SizeChange> changes = new LinkedHashMap<>();
        Set<Namespace> touched = new LinkedHashSet<>();
        for (Line each : lines) {
            changes.merge(each.collection, new SizeChange(each.documents, each.bytes), SizeChange::plus);
            touched.add(each.namespace);
        }
        changes.forEach((collection, change) ->
                draft.add(new Fact.SizeChanged(collection, change.documents(), change.bytes())));
        touched.forEach(each -> draft.add(new Fact.Touched(each)));
    }

    void clear() {
        lines.clear();
    }
}
