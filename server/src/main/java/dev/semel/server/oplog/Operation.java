package dev.semel.server.oplog;

import dev.semel.store.CommitDraft;
import dev.semel.store.Fact;
import dev.semel.store.RecordPart;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.HeapBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change of a transaction that will be logged, or a run of changes of one kind in one collection, of which all but
 * the first are kept without the fields that they share. The operations of a transaction become entries together, in the
 * commit: the first one has them all, the others then have nothing to write.
 */
final class Operation implements RecordPart {
    /** What this takes beside the bytes of the first change. */
    private static final int FIXED_HEAP_BYTES = 256;

    private final EntryGroups groups;

    /** The namespace whose catalog entries it changes; a changed document has its own. */
    private final List<Namespace> touched;

    /** What the changes of a run have in common; null for one that is never in a run, a command. */
    private final @Nullable Head head;

    private final BsonWriter fields;
    private final int fieldBytes;
    private final byte @Nullable [] image;
    private final PackedRows bodies = new PackedRows();

    /** Of the changes in {@link #bodies}, if anything is kept of what they replace. */
    private List<byte @Nullable []> images = List.of();

    private long imageHeapBytes;
    private boolean isInEntry;

    /**
     * The fields {@code op}, {@code ns} and {@code ui}.
     *
     * @param bytes where they end in the fields of a change
     */
    record Head(String op, UUID collection, String namespace, int bytes) {}

    /** With the fields {@code op}, {@code ns}, {@code ui}, {@code o} and {@code o2}; further ones are added at the end. */
    Operation(
            EntryGroups groups,
            List<Namespace> touched,
            @Nullable Head head,
            BsonWriter fields,
            byte @Nullable [] image) {
        this.groups = groups;
        this.touched = touched;
        this.head = head;
        this.fields = fields;
        this.fieldBytes = fields.length();
        this.image = image;
        this.imageHeapBytes = image == null ? 0 : HeapBytes.ofArray(image.length);
    }

    boolean isCommand() {
        return head == null;
    }

    /** How many changes this is. */
    int size() {
        return 1 + bodies.size();
    }

    /** What a change takes as a document by itself. */
    int length(int change) {
        return change == 0 ? fieldBytes + 1 : headBytes() + bodies.length(change - 1) + 1;
    }

    int headBytes() {
        return head == null ? 0 : head.bytes;
    }

    /** Of the first, or only, change. */
    BsonWriter fields() {
        return fields;
    }

    byte @Nullable [] image(int change) {
        return change == 0 ? image : images.isEmpty() ? null : images.get(change - 1);
    }

    /** Adds the body of a change behind the first one. */
    void copyBody(int change, BsonWriter out) {
        bodies.copy(change - 1, out);
    }

    // ---- a run

    @Override
    public boolean absorb(RecordPart next) {
        if (head == null || !(next instanceof Operation other) || !head.equals(other.head) || other.bodies.size() > 0) {
            return false;
        }
        RawDocument whole = other.fields().finish();
        bodies.add(whole.array(), whole.offset() + head.bytes, whole.offset() + whole.length() - 1);
        if (other.image != null || !images.isEmpty()) {
            keepImage(other.image);
        }
        return true;
    }

    private void keepImage(byte @Nullable [] kept) {
        if (images.isEmpty()) {
            images = new ArrayList<>();
        }
        while (images.size() < bodies.size() - 1) {
            images.add(null);
        }
        images.add(kept);
        imageHeapBytes += kept == null ? 0 : HeapBytes.ofArray(kept.length);
    }

    @Override
    public int mark() {
        return bodies.size();
    }

    @Override
    public void truncate(int mark) {
        bodies.truncate(mark);
        while (images.size() > mark) {
            byte[] gone = images.removeLast();
            imageHeapBytes -= gone == null ? 0 : HeapBytes.ofArray(gone.length);
        }
    }

    @Override
    public long heapBytes() {
        return FIXED_HEAP_BYTES
                + HeapBytes.ofArray(fieldBytes + OplogWriter.AROUND_BYTES)
                + bodies.heapBytes()
                + imageHeapBytes
                + 8L * images.size();
    }

    /** The entries have each change in full. */
    @Override
    public long addedHeapBytes() {
        return HeapBytes.ofArray(fieldBytes)
                + bodies.bytes()
                + (long) bodies.size() * (headBytes() + EntryGroups.ELEMENT_BYTES);
    }

    // ---- the commit

    /** The first is asked first. */
    @Override
    public void addTo(CommitDraft draft, List<RecordPart> all) {
        touched.forEach(each -> draft.add(new Fact.Touched(each)));
        if (!isInEntry) {
            List<Entry> entries = groups.of(all);
            for (int i = 0; i < entries.size(); i++) {
                entries.get(i).addTo(draft, i);
            }
        }
    }

    void inEntry() {
        isInEntry = true;
    }
}
