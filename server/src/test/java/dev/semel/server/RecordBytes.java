package dev.semel.server;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A commit record's bytes in their parts, read as its format says, for tests that spoil it. */
final class RecordBytes {
    private static final int TABLE_BITS = 3;
    private static final int FIXED_TIMES = 16;

    private final byte[] bytes;
    private int at;
    private final List<byte[]> rows = new ArrayList<>();
    private final List<byte[]> facts = new ArrayList<>();
    private final byte[] head;

    private RecordBytes(byte[] bytes) {
        this.bytes = bytes;
        at = 2;
        varints(3);
        at += FIXED_TIMES;
        head = Arrays.copyOf(bytes, at);
        for (long left = varint(); left > 0; left--) {
            int start = at;
            int what = bytes[at++] >> TABLE_BITS;
            texts(what == 0 || what == 2 ? 2 : 1);
            rows.add(Arrays.copyOfRange(bytes, start, at));
        }
        for (long left = varint(); left > 0; left--) {
            int start = at;
            skipFact(bytes[at++]);
            facts.add(Arrays.copyOfRange(bytes, start, at));
        }
    }

    static RecordBytes of(byte[] record) {
        return new RecordBytes(record);
    }

    private void skipFact(int kind) {
        switch (kind) {
            case 1, 2 -> varints(3);
            case 3 -> {
                texts(2);
                varints(1);
            }
            case 4, 6, 7 -> varints(1);
            case 5 -> texts(3);
            case 8 -> texts(2);
            case 9 -> at += Long.BYTES;
            default -> throw new AssertionError("a fact of an unknown kind " + kind);
        }
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = bytes[at++];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private void varints(int count) {
        for (int i = 0; i < count; i++) {
            varint();
        }
    }

    private void texts(int count) {
        for (int i = 0; i < count; i++) {
            int length = (int) varint();
            at += length;
        }
    }

    /** Without the facts of a kind. */
    byte[] without(int kind) {
        return joined(rows, facts.stream().filter(each -> each[0] != kind).toList());
    }

    /** Its rows in the opposite order. */
    byte[] reversed() {
        List<byte[]> other = new ArrayList<>(rows);
        Collections.reverse(other);
        return joined(other, facts);
    }

    private byte[] joined(List<byte[]> someRows, List<byte[]> someFacts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head);
        putAll(someRows, out);
        putAll(someFacts, out);
        return out.toByteArray();
    }

    private static void putAll(List<byte[]> parts, ByteArrayOutputStream out) {
        long left = parts.size();
        while (left > 0x7F) {
            out.write((int) (left | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
        parts.forEach(out::writeBytes);
    }
}
