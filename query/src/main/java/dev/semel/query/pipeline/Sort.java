package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.bson.RawDocument;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code $sort}: stable, so equal documents keep their order. With a limit, no more documents than that are held.
 *
 * @param limit how many of the first are wanted; {@link #UNLIMITED} for all
 */
public record Sort(SortOrder order, long limit) implements Stage {
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** In messages. */
    public static final String NAME = "Sort";

    /** What a document costs beside its bytes: the key, the references to it. */
    private static final int ENTRY_BYTES = 96;

    @Override
    public Source open(Source in, Execution execution) {
        return execution.environment().wantedMetadata().isEmpty()
                ? new Sorted(in, execution, null)
                : HeldMetadata.around(in, order, execution.environment(), inner -> new Sorted(inner, execution, null));
    }

    /**
     * The same, with less to hold.
     *
     * @param read what is read of its results
     */
    Source open(Source in, Execution execution, FieldSet read) {
        boolean isWhole = limit != UNLIMITED
                || read.isWhole()
                || !execution.environment().wantedMetadata().isEmpty();
        if (isWhole) {
            return open(in, execution);
        }
        Set<String> names = new LinkedHashSet<>(read.names());
        order.pattern().parts().forEach(part -> names.add(part.path().first()));
        return new Sorted(in, execution, new FieldsOnly(names));
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

    private record Entry(SortOrder.Key key, long number, RawDocument document) implements NumberedFormat.Numbered {
        int bytes() {
            return document.length() + ENTRY_BYTES;
        }
    }

    private final class Format implements NumberedFormat<Entry> {
        @Override
        public Entry entry(RawDocument document, long number) {
            return new Entry(order.key(document), number, document);
        }
    }

    private final class Sorted implements Source {
        private final Source in;
        private final Execution execution;
        private final Sorter<Entry> sorter;
        private final @Nullable FieldsOnly kept;
        private boolean isRead;

        /** @param kept null for whole documents */
        Sorted(Source in, Execution execution, @Nullable FieldsOnly kept) {
            Comparator<Entry> byKey = Comparator.comparing(Entry::key, order::compare);
            this.in = in;
            this.execution = execution;
            this.kept = kept;
            this.sorter = new Sorter<>(
                    byKey.thenComparingLong(Entry::number),
                    limit == UNLIMITED ? 0 : limit,
                    new Format(),
                    entry -> entry.bytes() + order.copiedBytes(entry.key()),
                    execution.spillingBudget(NAME),
                    execution.environment()::checkpoint);
            execution.environment().opened(sorter);
        }

        @Override
        public @Nullable RawDocument next() {
            if (!isRead) {
                isRead = true;
                long number = 0;
                for (RawDocument next = in.next(); next != null; next = in.next()) {
                    execution.environment().checkpoint();
                    RawDocument held = kept == null ? next : kept.of(next);
                    sorter.add(new Entry(order.key(held), number++, held));
                }
            }
            Entry entry = sorter.next();
            return entry == null ? null : entry.document();
        }

        @Override
        public void close() {
            in.close();
            isRead = true;
            execution.environment().closed(sorter);
            sorter.close();
        }
    }
}
