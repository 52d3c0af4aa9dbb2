package dev.semel.server.oplog;

import dev.semel.server.catalog.WriteOrigin;
import dev.semel.store.CommitDraft;
import dev.semel.store.Fact;
import dev.semel.store.RecordPart;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.HeapBytes;
import dev.semel.wire.spill.SpillSpace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change of a transaction that will be logged, or a run of such changes, of which all but the first are kept without the
 * fields that those of one kind in one collection share. The operations of a transaction become entries together, in the
 * commit: the first one has them all, the others then have nothing to write.
 *
 * <p>A row of a run: the number of its {@link Heads} (2), the id of the statement that it belongs to (4, {@value
 * #NO_STATEMENT} if that is what the run began with), the elements of the change behind its head. A new document is the first of
 * these elements, and only referred to while the row is in the heap.
 */
final class Operation implements RecordPart {
    static final int NO_STATEMENT = -1;

    /** What this takes beside the bytes of the first change. */
    private static final int FIXED_HEAP_BYTES = 256;

    private static final int ROW_HEADER_BYTES = Short.BYTES + Integer.BYTES;

    /** Where the elements of a document begin. */
    private static final int ELEMENTS_AT = 4;

    /** What is ahead of a new document, as an element. */
    private static final byte[] INSERTED = {3, 'o', 0};

    /** A file for less is not worth it. */
    private static final long SPILLED_BYTES_MIN = 4 << 10;

    private final EntryGroups groups;

    /** The namespace whose catalog entries it changes; a changed document has its own. */
    private final List<Namespace> touched;

    /** What the first change begins with; null for one that is never in a run, a command. */
    private final @Nullable Head head;

    private final BsonWriter fields;

    /** The field {@code o}, which belongs behind the head; null if it is among the fields. */
    private final @Nullable RawDocument inserted;

    private final int fieldBytes;
    private final byte @Nullable [] image;

    /** Of all changes but the first; null while there are none. */
    private @Nullable Heads heads;

    private final PackedRows rows = new PackedRows();

    /** Those that come before the rows in the heap; null if there are none. */
    private @Nullable SpilledRows spilled;

    /** Of the changes in {@link #rows}, if anything is kept of what they replace. */
    private List<byte @Nullable []> images = List.of();

    private long imageHeapBytes;

    /** The new documents of the changes in {@link #rows}, if any of those is an insertion. */
    private List<@Nullable RawDocument> documents = List.of();

    private long documentBytes;

    /** For which the changes that follow are made; null if that is what the run began with. */
    private @Nullable WriteOrigin origin;

    private boolean isInEntry;

    /**
     * The fields {@code op}, {@code ns} and {@code ui}.
     *
     * @param end where they end in the fields of a change
     */
    record Head(String op, UUID collection, String namespace, int end) {
        /** What they take as elements. */
        int bytes() {
            return end - ELEMENTS_AT;
        }
    }

    /** With the fields {@code op}, {@code ns}, {@code ui}, {@code o} and {@code o2}; further ones are added at the end. */
    Operation(
            EntryGroups groups,
            List<Namespace> touched,
            @Nullable Head head,
            BsonWriter fields,
            byte @Nullable [] image) {
        this(groups, touched, head, fields, null, image);
    }

    private Operation(
            EntryGroups groups,
            List<Namespace> touched,
            @Nullable Head head,
            BsonWriter fields,
            @Nullable RawDocument inserted,
            byte @Nullable [] image) {
        this.groups = groups;
        this.touched = touched;
        this.head = head;
        this.fields = fields;
        this.inserted = inserted;
        this.fieldBytes = fields.length() + elementBytes(inserted);
        this.image = image;
        this.imageHeapBytes = image == null ? 0 : HeapBytes.ofArray(image.length);
    }

    /**
     * A new document. It is copied once, to where it goes, and until then is only referred to.
     *
     * @param fields without {@code o}
     * @param document as it is stored, in an array of its own
     */
    static Operation inserting(EntryGroups groups, Head head, BsonWriter fields, RawDocument document) {
        return new Operation(groups, List.of(), head, fields, document, null);
    }

    boolean isCommand() {
        return head == null;
    }

    /** How many changes this is. */
    int size() {
        return 1 + mark();
    }

    /**
     * The first, or only, change, to which further fields are added.
     *
     * @param more what these take, the end of the document included
     */
    BsonWriter first(int more) {
        if (inserted == null) {
            return fields.expecting(more);
        }
        BsonWriter out = new BsonWriter(fieldBytes + more);
        copyFirst(out);
        return out;
    }

    private void copyFirst(BsonWriter out) {
        RawDocument written = fields.finish();
        if (inserted == null || head == null) {
            out.copyAll(written);
        } else {
            int behindHead = written.offset() + head.end;
            out.copyElements(written.array(), written.offset() + ELEMENTS_AT, behindHead);
            copyNew(inserted, out);
            out.copyElements(written.array(), behindHead, written.offset() + written.length() - 1);
        }
    }

    private static void copyNew(@Nullable RawDocument document, BsonWriter out) {
        if (document != null) {
            out.copyElements(INSERTED, 0, INSERTED.length);
            out.copyElements(document.array(), document.offset(), document.offset() + document.length());
        }
    }

    /** What a new document takes as an element. */
    private static int elementBytes(@Nullable RawDocument document) {
        return document == null ? 0 : INSERTED.length + document.length();
    }

    byte @Nullable [] image() {
        return image;
    }

    /** For which the last of the changes were made; null if that is what the run began with. */
    @Nullable
    WriteOrigin origin() {
        return origin;
    }

    boolean hasSpilled() {
        return spilled != null;
    }

    /** What its changes take as documents, those in the heap, roughly. */
    long bytes() {
        return fieldBytes + 1 + rows.bytes() + documentBytes + (long) rows.size() * headBytes();
    }

    private int headBytes() {
        return heads == null ? 0 : heads.longest();
    }

    /** The changes, one after the other. */
    Changes changes() {
        return new Changes();
    }

    /** A walk over its changes. For one thread. */
    final class Changes implements AutoCloseable {
        private final SpilledRows.@Nullable Walk walk = spilled == null ? null : spilled.walk();
        private int change = -1;
        private int inHeap = -1;

        // The row of the current change, unless that is the first one.
        private byte[] array = {};
        private int start;
        private int length;
        private byte[] head = {};
        private @Nullable RawDocument document;

        /** Moves on; false after the last one. */
        boolean next() {
            change++;
            if (change == 0) {
                return true;
            }
            if (walk != null && walk.next()) {
                read(walk.array(), walk.start(), walk.length(), null);
                return true;
            }
            inHeap++;
            if (inHeap == rows.size()) {
                return false;
            }
            read(rows.array(inHeap), rows.start(inHeap), rows.length(inHeap), newDocument(inHeap));
            return true;
        }

        private void read(byte[] in, int at, int bytes, @Nullable RawDocument referred) {
            document = referred;
            array = in;
            start = at;
            length = bytes;
            head = Objects.requireNonNull(heads).elements(Short.toUnsignedInt(row().getShort()));
        }

        private ByteBuffer row() {
            return ByteBuffer.wrap(array, start, length);
        }

        /** Of the statement that it belongs to; {@link #NO_STATEMENT} if that is what the run began with. */
        int statement() {
            return change == 0 ? NO_STATEMENT : row().getInt(start + Short.BYTES);
        }

        /** What the current one takes as a document by itself. */
        int length() {
            return change == 0
                    ? fieldBytes + 1
                    : ELEMENTS_AT + head.length + elementBytes(document) + length - ROW_HEADER_BYTES + 1;
        }

        /** Adds its fields. */
        void copy(BsonWriter out) {
            if (change == 0) {
                copyFirst(out);
            } else {
                out.copyElements(head, 0, head.length);
                copyNew(document, out);
                out.copyElements(array, start + ROW_HEADER_BYTES, start + length);
            }
        }

        byte @Nullable [] image() {
            if (change == 0) {
                return image;
            }
            return inHeap < 0 ? Objects.requireNonNull(walk).image() : images.isEmpty() ? null : images.get(inHeap);
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
        if (head == null) {
            return false;
        }
        if (next instanceof WriteOrigin statement && !statement.isTransaction()) {
            origin = statement;
            return true;
        }
        return next instanceof Operation other && other.head != null && add(other, other.head);
    }

    private boolean add(Operation other, Head otherHead) {
        if (heads == null) {
            heads = new Heads();
        }
        RawDocument written = other.fields.finish();
        int number = heads.number(otherHead, written.array(), written.offset() + ELEMENTS_AT);
        if (number < 0) {
            return false;
        }
        byte[] header = new byte[ROW_HEADER_BYTES];
        ByteBuffer.wrap(header).putShort((short) number).putInt(origin == null ? NO_STATEMENT : origin.stmtId());
        rows.begin(header.length + written.length() - 1 - otherHead.end);
        rows.put(header, 0, header.length);
        rows.put(written.array(), written.offset() + otherHead.end, written.offset() + written.length() - 1);
        images = ofRow(images, other.image);
        imageHeapBytes += other.image == null ? 0 : HeapBytes.ofArray(other.image.length);
        documents = ofRow(documents, other.inserted);
        documentBytes += elementBytes(other.inserted);
        return true;
    }

    /** The list with what belongs to the newest row; it stays empty as long as nothing does to any. */
    private <T> List<@Nullable T> ofRow(List<@Nullable T> list, @Nullable T added) {
        if (added == null && list.isEmpty()) {
            return list;
        }
        List<@Nullable T> kept = list.isEmpty() ? new ArrayList<>() : list;
        while (kept.size() < rows.size() - 1) {
            kept.add(null);
        }
        kept.add(added);
        return kept;
    }

    private @Nullable RawDocument newDocument(int row) {
        return documents.isEmpty() ? null : documents.get(row);
    }

    @Override
    public int mark() {
        return spilledSize() + rows.size();
    }

    private int spilledSize() {
        return spilled == null ? 0 : spilled.size();
    }

    /** The statement stays: one that begins again is not announced again. */
    @Override
    public void truncate(int mark) {
        if (spilled != null && mark < spilled.size()) {
            spilled.truncate(mark);
        }
        int kept = mark - spilledSize();
        rows.truncate(kept);
        while (images.size() > kept) {
            byte[] gone = images.removeLast();
            imageHeapBytes -= gone == null ? 0 : HeapBytes.ofArray(gone.length);
        }
        while (documents.size() > kept) {
            documentBytes -= elementBytes(documents.removeLast());
        }
    }

    @Override
    public void spill(SpillSpace files) {
        if (rows.bytes() + documentBytes < SPILLED_BYTES_MIN) {
            return;
        }
        if (spilled == null) {
            spilled = new SpilledRows();
        }
        spilled.add(new InHeap(), files);
        rows.truncate(0);
        images = List.of();
        imageHeapBytes = image == null ? 0 : HeapBytes.ofArray(image.length);
        documents = List.of();
        documentBytes = 0;
    }

    /** The changes but the first, with the new documents in their places. */
    private final class InHeap implements SpilledRows.Source {
        @Override
        public int size() {
            return rows.size();
        }

        @Override
        public byte @Nullable [] image(int row) {
            return images.isEmpty() ? null : images.get(row);
        }

        @Override
        public int length(int row) {
            return rows.length(row) + elementBytes(newDocument(row));
        }

        @Override
        public void copy(int row, ByteBuffer into) {
            byte[] array = rows.array(row);
            int start = rows.start(row);
            into.put(array, start, ROW_HEADER_BYTES);
            RawDocument document = newDocument(row);
            if (document != null) {
                into.put(INSERTED).put(document.array(), document.offset(), document.length());
            }
            into.put(array, start + ROW_HEADER_BYTES, rows.length(row) - ROW_HEADER_BYTES);
        }
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
                + (heads == null ? 0 : heads.heapBytes())
                + rows.heapBytes()
                + imageHeapBytes
                + documentBytes
                + 8L * (images.size() + documents.size());
    }

    /** The entries have each change in full. */
    @Override
    public long addedHeapBytes() {
        return HeapBytes.ofArray(fieldBytes)
                + rows.bytes()
                + documentBytes
                + (long) rows.size() * (headBytes() + EntryGroups.ELEMENT_BYTES);
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
