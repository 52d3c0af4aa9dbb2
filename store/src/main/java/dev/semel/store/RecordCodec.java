package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.Namespace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Commit records as bytes. Numbers are varints unless it says otherwise, byte arrays and texts have their length before them:
 *
 * <pre>
 * format     one byte, {@value #FORMAT}
 * kind       one byte: 1 whole, 2 with rows in chunks
 * place      term, sequence, times; cluster time and reserved time, eight bytes each with the highest first
 * chunks     only of kind 2: term, number, how many
 * rows       their number; each: one byte, its table and four times what it is (0 put, 1 deletion, 2 range, 3 range without
 *            an end), key, value or end
 * facts      their number; each: one byte, its kind, and its parts; signed numbers in zigzag
 * </pre>
 *
 * A record that has another format, kind, table or fact than these is refused, as is one with bytes behind its end: to
 * apply half of what a commit says would be worse than to stop.
 */
public final class RecordCodec {
    private static final byte FORMAT = 1;
    private static final byte WHOLE = 1;
    private static final byte CHUNKED = 2;

    private static final int PUT = 0;
    private static final int DELETION = 1;
    private static final int RANGE = 2;
    private static final int OPEN_RANGE = 3;
    private static final int RETIRED = 4;
    private static final int OPEN_RETIRED = 5;

    /** Tables fit into the bits below what a row is. */
    private static final int TABLE_BITS = 3;

    private static final byte SIZE_CHANGED = 1;
    private static final byte BECAME_MULTIKEY = 2;
    private static final byte CATALOG_CHANGED = 3;
    private static final byte STORAGE_REMOVED = 4;
    private static final byte NAMESPACE_GONE = 5;
    private static final byte NUMBER_USED = 6;
    private static final byte TOKEN_BYTES_CHANGED = 7;
    private static final byte TOUCHED = 8;
    private static final byte OPLOG_TRUNCATED = 9;

    private RecordCodec() {}

    // ---- to bytes

    public static byte[] encode(CommitRecord record) {
        Output out =
                new Output(Math.toIntExact(record.bytes() + 64L * record.facts().size() + 256));
        out.putByte(FORMAT);
        Chunks chunks = record.chunks();
        out.putByte(chunks == null ? WHOLE : CHUNKED);
        Place place = record.place();
        out.putVarint(place.term());
        out.putVarint(place.sequence());
        out.putVarint(place.times());
        out.putFixed(place.clusterTime());
        out.putFixed(place.reservedTime());
        if (chunks != null) {
            out.putVarint(chunks.term());
            out.putVarint(chunks.number());
            out.putVarint(chunks.count());
        }
        CommitDraft.StagedRows staged = record.staged();
        Batch before = staged == null || chunks != null ? new Batch() : rows(staged);
        int stagedRows = before.size();
        out.putVarint(stagedRows + record.rows().size());
        before.applyTo(new Rows(out));
        record.rows().applyTo(new Rows(out));
        out.putVarint(record.facts().size());
        record.facts().forEach(each -> put(each, stagedRows, out));
        return out.finish();
    }

    private static Batch rows(CommitDraft.StagedRows staged) {
        Batch rows = staged.rows();
        if (rows == null) {
            throw new IllegalArgumentException("the rows are in files of this node alone");
        }
        return rows;
    }

    /** Rows alone. */
    static final class RowBytes {
        private final Output out;
        private final Rows rows;

        RowBytes(int expected) {
            out = new Output(expected + 1024);
            rows = new Rows(out);
        }

        void put(Table table, byte[] key, byte[] value) {
            rows.put(table, key, value);
        }

        void delete(Table table, byte[] key) {
            rows.delete(table, key);
        }

        int length() {
            return out.length;
        }

        byte[] finish() {
            return out.finish();
        }
    }

    private record Rows(Output out) implements Batch.Target {
        @Override
        public void put(Table table, byte[] key, byte[] value) {
            begin(table, PUT, key);
            out.putBytes(value);
        }

        @Override
        public void delete(Table table, byte[] key) {
            begin(table, DELETION, key);
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            putRange(table, range, RANGE, OPEN_RANGE);
        }

        @Override
        public void retire(Table table, KeyRange range) {
            putRange(table, range, RETIRED, OPEN_RETIRED);
        }

        private void putRange(Table table, KeyRange range, int what, int whatIfOpen) {
            byte[] high = range.high();
            begin(table, high == null ? whatIfOpen : what, range.low());
            if (high != null) {
                out.putBytes(high);
            }
        }

        private void begin(Table table, int what, byte[] key) {
            out.putByte((byte) ((what << TABLE_BITS) | table.index()));
            out.putBytes(key);
        }
    }

    /** Rows that were staged come before the others. */
    private static void put(Fact fact, int stagedRows, Output out) {
        switch (fact) {
            case Fact.SizeChanged(int collection, long documents, long bytes) -> {
                out.putByte(SIZE_CHANGED);
                out.putVarint(Integer.toUnsignedLong(collection));
                out.putSigned(documents);
                out.putSigned(bytes);
            }
            case Fact.BecameMultikey(int index, int field, int step) -> {
                out.putByte(BECAME_MULTIKEY);
                out.putVarint(Integer.toUnsignedLong(index));
                out.putVarint(field);
                out.putVarint(step);
            }
            case Fact.CatalogChanged(Namespace namespace, long heapBytes) -> {
                out.putByte(CATALOG_CHANGED);
                out.putNamespace(namespace);
                out.putSigned(heapBytes);
            }
            case Fact.StorageRemoved(int number) -> {
                out.putByte(STORAGE_REMOVED);
                out.putVarint(Integer.toUnsignedLong(number));
            }
            case Fact.NamespaceGone(Namespace namespace, String why) -> {
                out.putByte(NAMESPACE_GONE);
                out.putNamespace(namespace);
                out.putText(why);
            }
            case Fact.NumberUsed(int row) -> {
                out.putByte(NUMBER_USED);
                out.putVarint(stagedRows + row);
            }
            case Fact.TokenBytesChanged(long bytes) -> {
                out.putByte(TOKEN_BYTES_CHANGED);
                out.putSigned(bytes);
            }
            case Fact.OplogTruncated(long clusterTime) -> {
                out.putByte(OPLOG_TRUNCATED);
                out.putFixed(clusterTime);
            }
            case Fact.Touched(Namespace namespace) -> {
                out.putByte(TOUCHED);
                out.putNamespace(namespace);
            }
        }
    }

    /** The bytes of a record that is being written. */
    private static final class Output {
        private byte[] bytes;
        private int length;

        Output(int expected) {
            bytes = new byte[expected];
        }

        private void ensure(int more) {
            if (bytes.length - length < more) {
                bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
            }
        }

        void putByte(byte value) {
            ensure(1);
            bytes[length++] = value;
        }

        void putVarint(long value) {
            ensure(10);
            long left = value;
            while ((left & ~0x7FL) != 0) {
                bytes[length++] = (byte) (left | 0x80);
                left >>>= 7;
            }
            bytes[length++] = (byte) left;
        }

        void putSigned(long value) {
            putVarint((value << 1) ^ (value >> 63));
        }

        void putFixed(long value) {
            for (int shift = 56; shift >= 0; shift -= 8) {
                putByte((byte) (value >>> shift));
            }
        }

        void putBytes(byte[] value) {
            putVarint(value.length);
            ensure(value.length);
            System.arraycopy(value, 0, bytes, length, value.length);
            length += value.length;
        }

        void putText(String text) {
            putBytes(text.getBytes(StandardCharsets.UTF_8));
        }

        void putNamespace(Namespace namespace) {
            putText(namespace.database());
            putText(namespace.collection());
        }

        byte[] finish() {
            return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        }
    }

    // ---- from bytes

    /** The cluster time of a record of which only the beginning need be here, up to the end of its place. */
    public static long clusterTime(byte[] beginning) {
        Input in = new Input(ByteBuffer.wrap(beginning));
        nextKind(in);
        return in.nextPlace().clusterTime();
    }

    private static byte nextKind(Input in) {
        in.require("format", in.nextByte(), FORMAT);
        byte kind = in.nextByte();
        if (kind != CHUNKED) {
            in.require("kind", kind, WHOLE);
        }
        return kind;
    }

    /** Refuses what is not a record of this format with {@link EngineException}. */
    public static CommitRecord decode(byte[] bytes) {
        return decode(ByteBuffer.wrap(bytes));
    }

    /** The same from the first byte of a buffer to its limit. */
    public static CommitRecord decode(ByteBuffer bytes) {
        Input in = new Input(bytes);
        byte kind = nextKind(in);
        Place place = in.nextPlace();
        Chunks chunks = kind == CHUNKED ? new Chunks(in.nextVarint(), in.nextVarint(), in.nextInt()) : null;
        Batch rows = new Batch();
        for (int left = in.nextInt(); left > 0; left--) {
            in.nextRow(rows.target());
        }
        List<Fact> facts = new ArrayList<>();
        for (int left = in.nextInt(); left > 0; left--) {
            facts.add(in.nextFact(rows));
        }
        in.requireEnd();
        return new CommitRecord(place, rows, facts, null, chunks);
    }

    /** Hands out {@link RowBytes}. */
    static void rows(byte[] bytes, Batch.Target target) {
        Input in = new Input(ByteBuffer.wrap(bytes));
        while (in.at < bytes.length) {
            in.nextRow(target);
        }
    }

    /** A record that is being read. */
    private static final class Input {
        private final ByteBuffer bytes;
        private int at;

        Input(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        private EngineException refused(String what) {
            return new EngineException("a commit record cannot be read: %s at byte %d".formatted(what, at));
        }

        void require(String what, byte found, byte wanted) {
            if (found != wanted) {
                throw refused("unknown %s %d".formatted(what, found));
            }
        }

        void requireEnd() {
            if (at != bytes.limit()) {
                throw refused("bytes behind its end");
            }
        }

        byte nextByte() {
            if (at == bytes.limit()) {
                throw refused("unexpected end");
            }
            return bytes.get(at++);
        }

        long nextVarint() {
            long value = 0;
            for (int shift = 0; shift < Long.SIZE; shift += 7) {
                byte next = nextByte();
                value |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return value;
                }
            }
            throw refused("a number of more than 64 bits");
        }

        long nextSigned() {
            long value = nextVarint();
            return (value >>> 1) ^ -(value & 1);
        }

        /** A count or length. */
        int nextInt() {
            long value = nextVarint();
            if (value < 0 || value > Integer.MAX_VALUE) {
                throw refused("the number " + value);
            }
            return (int) value;
        }

        long nextFixed() {
            long value = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                value = (value << 8) | (nextByte() & 0xFF);
            }
            return value;
        }

        byte[] nextBytes() {
            int length = nextInt();
            if (length > bytes.limit() - at) {
                throw refused("unexpected end");
            }
            byte[] copied = new byte[length];
            bytes.get(at, copied);
            at += length;
            return copied;
        }

        String nextText() {
            return new String(nextBytes(), StandardCharsets.UTF_8);
        }

        Namespace nextNamespace() {
            return new Namespace(nextText(), nextText());
        }

        Place nextPlace() {
            return new Place(nextVarint(), nextVarint(), nextInt(), nextFixed(), nextFixed());
        }

        void nextRow(Batch.Target rows) {
            byte what = nextByte();
            Table table = table(what & ((1 << TABLE_BITS) - 1));
            byte[] key = nextBytes();
            switch (what >>> TABLE_BITS) {
                case PUT -> rows.put(table, key, nextBytes());
                case DELETION -> rows.delete(table, key);
                case RANGE -> rows.deleteRange(table, new KeyRange(key, nextBytes()));
                case OPEN_RANGE -> rows.deleteRange(table, KeyRange.atLeast(key));
                case RETIRED -> rows.retire(table, new KeyRange(key, nextBytes()));
                case OPEN_RETIRED -> rows.retire(table, KeyRange.atLeast(key));
                default -> throw refused("unknown row " + what);
            }
        }

        private Table table(int index) {
            if (index >= Table.values().length) {
                throw refused("unknown table " + index);
            }
            return Table.at(index);
        }

        Fact nextFact(Batch rows) {
            byte kind = nextByte();
            return switch (kind) {
                case SIZE_CHANGED -> new Fact.SizeChanged((int) nextVarint(), nextSigned(), nextSigned());
                case BECAME_MULTIKEY -> new Fact.BecameMultikey((int) nextVarint(), nextInt(), nextInt());
                case CATALOG_CHANGED -> new Fact.CatalogChanged(nextNamespace(), nextSigned());
                case STORAGE_REMOVED -> new Fact.StorageRemoved((int) nextVarint());
                case NAMESPACE_GONE -> new Fact.NamespaceGone(nextNamespace(), nextText());
                case NUMBER_USED -> new Fact.NumberUsed(nextRow(rows));
                case TOKEN_BYTES_CHANGED -> new Fact.TokenBytesChanged(nextSigned());
                case OPLOG_TRUNCATED -> new Fact.OplogTruncated(nextFixed());
                case TOUCHED -> new Fact.Touched(nextNamespace());
                default -> throw refused("unknown fact " + kind);
            };
        }

        private int nextRow(Batch rows) {
            int row = nextInt();
            if (row >= rows.size()) {
                throw refused("a fact of the row " + row);
            }
            return row;
        }
    }
}
