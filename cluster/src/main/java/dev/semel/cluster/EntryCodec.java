package dev.semel.cluster;

import dev.semel.store.CommitRecord;
import dev.semel.store.EngineException;
import dev.semel.store.RecordCodec;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries of the consensus log. Numbers have the highest byte first:
 *
 * <pre>
 * 1  whole commits: term (8), sequence number of the first (8), then each: its length (4) and its record
 * 2  a part of a commit that is too long for one entry: term (8), sequence number (8), length of the record (4), where the
 *    part begins in it (4), the part
 * </pre>
 */
final class EntryCodec {
    private static final byte WHOLE = 1;
    private static final byte PART = 2;
    private static final int HEAD_BYTES = 1 + 2 * Long.BYTES;
    private static final int PART_HEAD_BYTES = HEAD_BYTES + 2 * Integer.BYTES;

    private EntryCodec() {}

    /** What an entry holds. */
    sealed interface Content {
        long term();

        long sequence();

        /** How many, whole or in part. */
        int commits();
    }

    /** @param records not decoded yet: the node that made them need not */
    @SuppressWarnings("ArrayRecordComponent")
    record Whole(long term, long sequence, List<byte[]> records) implements Content {
        @Override
        public int commits() {
            return records.size();
        }

        List<CommitRecord> decoded() {
            return records.stream().map(RecordCodec::decode).toList();
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    record Part(long term, long sequence, int length, int from, byte[] bytes) implements Content {
        @Override
        public int commits() {
            return 1;
        }

        boolean isLast() {
            return from + bytes.length == length;
        }

        boolean follows(Part before) {
            return term == before.term
                    && sequence == before.sequence
                    && length == before.length
                    && from == before.from + before.bytes.length;
        }
    }

    /** Consecutive commits of one term as one entry, or one that is too long for that as several. */
    static List<byte[]> encode(List<CommitRecord> records, int entryBytesMax) {
        List<byte[]> encoded = records.stream().map(RecordCodec::encode).toList();
        long term = records.getFirst().place().term();
        long sequence = records.getFirst().place().sequence();
        int length = HEAD_BYTES;
        for (byte[] each : encoded) {
            length += Integer.BYTES + each.length;
        }
        if (length > entryBytesMax && encoded.size() == 1) {
            return parts(encoded.getFirst(), term, sequence, entryBytesMax);
        }
        ByteBuffer entry = ByteBuffer.allocate(length).put(WHOLE).putLong(term).putLong(sequence);
        encoded.forEach(each -> entry.putInt(each.length).put(each));
        return List.of(entry.array());
    }

    /** Each made when it is asked for, so that there is never a second copy of all. */
    private static List<byte[]> parts(byte[] record, long term, long sequence, int entryBytesMax) {
        int most = entryBytesMax - PART_HEAD_BYTES;
        return new AbstractList<>() {
            @Override
            public int size() {
                return Math.ceilDiv(record.length, most);
            }

            @Override
            public byte[] get(int index) {
                int from = Math.multiplyExact(index, most);
                int length = Math.min(most, record.length - from);
                return ByteBuffer.allocate(PART_HEAD_BYTES + length)
                        .put(PART)
                        .putLong(term)
                        .putLong(sequence)
                        .putInt(record.length)
                        .putInt(from)
                        .put(record, from, length)
                        .array();
            }
        };
    }

    static Content decode(byte[] bytes) {
        ByteBuffer entry = ByteBuffer.wrap(bytes);
        byte kind = entry.get();
        long term = entry.getLong();
        long sequence = entry.getLong();
        if (kind == PART) {
            int length = entry.getInt();
            int from = entry.getInt();
            if (from < 0 || from > length - entry.remaining()) {
                throw new EngineException("a part of a commit is beyond its end");
            }
            return new Part(term, sequence, length, from, rest(entry, entry.remaining()));
        }
        if (kind != WHOLE) {
            throw new EngineException("an entry of the log has the unknown kind " + kind);
        }
        List<byte[]> records = new ArrayList<>();
        while (entry.hasRemaining()) {
            records.add(rest(entry, entry.getInt()));
        }
        return new Whole(term, sequence, records);
    }

    private static byte[] rest(ByteBuffer entry, int length) {
        byte[] bytes = new byte[length];
        entry.get(bytes);
        return bytes;
    }
}
