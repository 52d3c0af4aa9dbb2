package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Documents in the order in which they came, for stages that need them more than once: in memory, or in a file as soon
 * as they are more than the stage may hold. Several readers may be at different places.
 *
 * <pre>{@code
 * for (RawDocument each = in.next(); each != null; each = in.next()) buffer.add(each);
 * Source ahead = buffer.read();
 * Source behind = buffer.read();
 * }</pre>
 */
final class DocumentBuffer implements AutoCloseable {
    /** What a document takes beside its bytes. */
    private static final int ENTRY_BYTES = 48;

    private final MemoryBudget budget;
    private final List<RawDocument> held = new ArrayList<>();
    private @Nullable SpillWriter writer;
    private @Nullable SpilledRun file;
    private long size;
    private long spills;

    DocumentBuffer(MemoryBudget budget) {
        this.budget = budget;
    }

    /** Not after {@link #read}, until it was cleared. */
    void add(RawDocument document) {
        size++;
        SpillWriter out = writer;
        if (out == null && !budget.tryCharge(document.length() + ENTRY_BYTES)) {
            out = spill();
        }
        if (out == null) {
            held.add(document);
        } else {
            out.add(document.array(), document.offset(), document.length());
        }
    }

    private @Nullable SpillWriter spill() {
        if (budget.disk() == null) {
            return null;
        }
        SpillWriter out = budget.disk().write();
        writer = out;
        spills++;
        held.forEach(each -> out.add(each.array(), each.offset(), each.length()));
        held.clear();
        budget.releaseAll();
        return out;
    }

    long size() {
        return size;
    }

    /** How often memory was written to disk. */
    long spills() {
        return spills;
    }

    /** From the first one on. What it returns stays as it is. */
    Source read() {
        SpillWriter out = writer;
        if (out == null) {
            return Source.of(held);
        }
        SpilledRun all = file;
        if (all == null) {
            all = out.finish();
            file = all;
        }
        return new FromFile(all.read());
    }

    /** Begins anew. */
    void clear() {
        SpilledRun all = file;
        SpillWriter out = writer;
        if (all != null) {
            all.close();
        } else if (out != null) {
            out.close();
        }
        file = null;
        writer = null;
        held.clear();
        budget.releaseAll();
        size = 0;
    }

    @Override
    public void close() {
        clear();
    }

    private record FromFile(SpillReader reader) implements Source {
        @Override
        public @Nullable RawDocument next() {
            return reader.next() ? RawDocument.of(reader.copy()) : null;
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
