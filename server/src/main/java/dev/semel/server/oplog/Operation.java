package dev.semel.server.oplog;

import dev.semel.store.CommitDraft;
import dev.semel.store.Fact;
import dev.semel.store.RecordPart;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.HeapBytes;
import dev.semel.wire.spill.SpillSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

    /** A file for less is not worth it. */
    private static final long SPILLED_BYTES_MIN = 4 << 10;

    private final EntryGroups groups;

    /** The namespace whose catalog entries it changes; a changed document has its own. */
    private final List<Namespace> touched;

    /** What the changes of a run have in common; null for one that is never in a run, a command. */
    private final @Nullable Head head;

    private final BsonWriter fields;
    private final int fieldBytes;
    private final byte @Nullable [] image;
    private final PackedRows bodies = new PackedRows();

    /** Those that come before the bodies in the heap; null if there are none. */
    private @Nullable SpilledBodies spilled;

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
        return 1 + mark();
    }

    int headBytes() {
        return head == null ? 0 : head.bytes;
    }

    /** Of the first, or only, change. */
    BsonWriter fields() {
        return fields;
    }

    byte @Nullable [] image() {
        return image;
    }

    boolean hasSpilled() {
        return spilled != null;
    }

    /** What its changes take as documents, those in the heap. */
    long bytes() {
        return fieldBytes + 1 + bodies.bytes() + (long) bodies.size() * (headBytes() + 1);
    }

    /** The changes, one after the other. */
    Changes changes() {
        return new Changes();
    }

    /** A walk over its changes. For one thread. */
    final class Changes implements AutoCloseable {
        /** What the others share is read from it. */
        private final RawDocument first = fields.finish();

        private final SpilledBodies.@Nullable Walk walk = spilled == null ? null : spilled.walk();
        private int change = -1;
        private int inHeap = -1;

        /** Moves on; false after the last one. */
        boolean next() {
            change++;
            if (change > 0 && (walk == null || !walk.next())) {
                inHeap++;
            }
            return inHeap < bodies.size();
        }

        /** What the current one takes as a document by itself. */
        int length() {
            if (change == 0) {
                return fieldBytes + 1;
            }
            return headBytes() + 1 + (inHeap >= 0 ? bodies.length(inHeap) : walk().length());
        }

        /** Adds its fields. */
        void copy(BsonWriter out) {
            if (change == 0) {
                out.copyAll(first);
                return;
            }
            out.copyElements(first.array(), first.offset() + 4, first.offset() + headBytes());
            if (inHeap >= 0) {
                bodies.copy(inHeap, out);
            } else {
                walk().copy(out);
            }
        }

        byte @Nullable [] image() {
            if (change == 0) {
                return image;
            }
            return inHeap < 0 ? walk().image() : images.isEmpty() ? null : images.get(inHeap);
        }

        private SpilledBodies.Walk walk() {
            return Objects.requireNonNull(walk);
        }

        @Override
        public void close() {
            if (walk != null) {
                walk.close();
            }
        }
    }

    // ---- a run

    @Override
    public boolean absorb(RecordPart next) {
        if (head == null || !(next instanceof Operation other) || !head.equals(other.head) || other.size() > 1) {
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
        return spilledSize() + bodies.size();
    }

    private int spilledSize() {
        return spilled == null ? 0 : spilled.size();
    }

    @Override
    public void truncate(int mark) {
        if (spilled != null && mark < spilled.size()) {
            spilled.truncate(mark);
        }
        int kept = mark - spilledSize();
        bodies.truncate(kept);
        while (images.size() > kept) {
            byte[] gone = images.removeLast();
            imageHeapBytes -= gone == null ? 0 : HeapBytes.ofArray(gone.length);
        }
    }

    @Override
    public void spill(SpillSpace files) {
        if (bodies.bytes() < SPILLED_BYTES_MIN) {
            return;
        }
        if (spilled == null) {
            spilled = new SpilledBodies();
        }
        spilled.add(bodies, images, files);
        bodies.truncate(0);
        images = List.of();
        imageHeapBytes = image == null ? 0 : HeapBytes.ofArray(image.length);
    }

    @Override
    public void close() {
        if (spilled != null) {
            spilled.close();
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
            int[] count = new int[1];
            groups.of(all, entry -> entry.addTo(draft, count[0]++));
        }
    }

    void inEntry() {
        isInEntry = true;
    }
}
