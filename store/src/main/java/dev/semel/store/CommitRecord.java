package dev.semel.store;

import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A commit as a value: its place in the order, its rows, and the facts that memory must learn. It is all that any node
 * needs in order to know the commit. {@link RecordCodec} turns it into bytes and back.
 */
public final class CommitRecord {
    private final Place place;
    private final Batch rows;
    private final List<Fact> facts;
    private final CommitDraft.@Nullable StagedRows staged;
    private final @Nullable Chunks chunks;

    CommitRecord(
            Place place,
            Batch rows,
            List<Fact> facts,
            CommitDraft.@Nullable StagedRows staged,
            @Nullable Chunks chunks) {
        this.place = place;
        this.rows = rows;
        this.facts = facts;
        this.staged = staged;
        this.chunks = chunks;
    }

    public Place place() {
        return place;
    }

    /** The time at which the commit, and everything before it, can be read. */
    public long clusterTime() {
        return place.clusterTime();
    }

    /** In the order in which listeners get them. */
    public List<Fact> facts() {
        return Collections.unmodifiableList(facts);
    }

    /** Those of one kind. */
    public <T extends Fact> void forEach(Class<T> kind, Consumer<T> learner) {
        for (Fact each : facts) {
            if (kind.isInstance(each)) {
                learner.accept(kind.cast(each));
            }
        }
    }

    /** The key of a row, by its number; not to be changed. */
    public byte[] key(int row) {
        return rows.key(row);
    }

    /** The same of its value; null if the row goes. */
    public byte @Nullable [] value(int row) {
        return rows.value(row);
    }

    /** The last row that this commit writes at a key; -1 if there is none. */
    public int lastRow(Table table, byte[] key) {
        return rows.last(table, key);
    }

    Batch rows() {
        return rows;
    }

    /** Those of its rows that were staged, which apply before the others; null if none were. */
    CommitDraft.@Nullable StagedRows staged() {
        return staged;
    }

    /** In which its further rows have come; null if it has none. */
    @Nullable
    Chunks chunks() {
        return chunks;
    }

    /** Keys and values, of all rows in the heap. */
    public long bytes() {
        return rows.bytes() + (staged == null ? 0 : staged.bytes());
    }
}
