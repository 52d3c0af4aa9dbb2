package dev.semel.query.pipeline;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import java.util.Arrays;
import java.util.List;

/** Finds some top-level fields of document after document in one walk each, without creating anything. */
final class FieldLocator {
    /** The type of a field that is not there. */
    static final byte MISSING = 0;

    private final byte[][] names;
    private final byte[] types;
    private final int[] positions;

    FieldLocator(List<byte[]> names) {
        this.names = names.toArray(byte[][]::new);
        this.types = new byte[this.names.length];
        this.positions = new int[this.names.length];
    }

    void locate(RawDocument document) {
        Arrays.fill(types, MISSING);
        byte[] bytes = document.array();
        int at = document.offset() + 4;
        int end = document.offset() + document.length() - 1;
        int remaining = names.length;
        while (at < end && remaining > 0) {
            byte type = bytes[at];
            int name = at + 1;
            int nameEnd = name;
            while (bytes[nameEnd] != 0) {
                nameEnd++;
            }
            remaining -= record(type, bytes, name, nameEnd);
            at = nameEnd + 1 + ElementCursor.valueLength(bytes, type, nameEnd + 1);
        }
    }

    private int record(byte type, byte[] bytes, int name, int nameEnd) {
        int found = 0;
        for (int i = 0; i < names.length; i++) {
            byte[] wanted = names[i];
            if (wanted.length == nameEnd - name
                    && types[i] == MISSING
                    && Arrays.equals(bytes, name, nameEnd, wanted, 0, wanted.length)) {
                types[i] = type;
                positions[i] = nameEnd + 1;
                found++;
            }
        }
        return found;
    }

    byte type(int field) {
        return types[field];
    }

    int position(int field) {
        return positions[field];
    }
}
