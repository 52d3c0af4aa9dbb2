package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * {@code $sort}: stable, so equal documents keep their order. With a limit, no more documents than that are held.
 *
 * @param limit how many of the first are wanted; {@link #UNLIMITED} for all
 */
public record Sort(SortOrder order, long limit) implements Stage {
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** What a document costs beside its bytes: the key, the references to it. */
    private static final int ENTRY_BYTES = 96;

    @Override
    public Source open(Source in, Execution execution) {
        return execution.environment().wantedMetadata().isEmpty()
                ? new Sorted(in, execution)
                : HeldMetadata.around(in, order, execution.environment(), inner -> new Sorted(inner, execution));
    }

    @Override
    public boolean collectFields(FieldSet into) {
        for (SortPattern.Part part : order.pattern().parts()) {
            String metadata = SortPattern.metadata(part);
            if (metadata == null) {
                into.add(part.path().first());
            } else {
                into.addMetadata(metadata);
            }
        }
        return false;
    }

    private record Entry(SortOrder.Key key, long number, RawDocument document) {
        int bytes() {
            return document.length() + ENTRY_BYTES;
        }
    }

    private final class Sorted implements Source {
        private final Source in;
        private final Execution execution;
        private @Nullable Iterator<Entry> results;

        Sorted(Source in, Execution execution) {
            this.in = in;
            this.execution = execution;
        }

        @Override
        public @Nullable RawDocument next() {
            if (results == null) {
                results = sorted().iterator();
            }
            return results.hasNext() ? results.next().document() : null;
        }

        private List<Entry> sorted() {
            Comparator<Entry> comparator = (a, b) -> {
                int byKey = order.compare(a.key(), b.key());
                return byKey != 0 ? byKey : Long.compare(a.number(), b.number());
            };
            List<Entry> entries = limit == UNLIMITED ? all() : first(comparator);
            entries.sort(comparator);
            return entries;
        }

        private List<Entry> all() {
            MemoryBudget budget = execution.budget("Sort");
            List<Entry> entries = new ArrayList<>();
            long number = 0;
            for (RawDocument next = in.next(); next != null; next = in.next()) {
                Entry entry = new Entry(order.key(next), number++, next);
                budget.charge(entry.bytes());
                execution.environment().checkpoint();
                entries.add(entry);
            }
            return entries;
        }

        private List<Entry> first(Comparator<Entry> comparator) {
            MemoryBudget budget = execution.budget("Sort");
            PriorityQueue<Entry> best = new PriorityQueue<>(comparator.reversed());
            long number = 0;
            for (RawDocument next = in.next(); next != null; next = in.next()) {
                Entry entry = new Entry(order.key(next), number++, next);
                execution.environment().checkpoint();
                Entry worst = best.peek();
                if (best.size() < limit) {
                    budget.charge(entry.bytes());
                    best.add(entry);
                } else if (worst != null && comparator.compare(entry, worst) < 0) {
                    budget.release(worst.bytes());
                    budget.charge(entry.bytes());
                    best.poll();
                    best.add(entry);
                }
            }
            return new ArrayList<>(best);
        }

        @Override
        public void close() {
            in.close();
            results = List.<Entry>of().iterator();
        }
    }
}
