package dev.semel.server.plan;

import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Index;
import dev.semel.store.key.KeyReader;
import java.util.Arrays;

/**
 * Where a document stands in a sort, read from the entry that leads to it: bytes that compare as the documents do, whichever
 * index the entry is of. Only for a scan that has the sort's order.
 */
final class EntryOrder {
    /** The number of the index, before the values. */
    private static final int NUMBER_BYTES = 4;

    private final boolean[] descending;

    /** For each part of the sort the column of the index that has its values. */
    private final int[] columns;

    /** Whether the column is in the opposite order to the part, so that its bytes have to be flipped. */
    private final boolean[] flipped;

    EntryOrder(IndexBounds bounds, SortPattern sort) {
        Index index = bounds.index();
        int parts = sort.parts().size();
        this.descending = index.descending();
        this.columns = new int[parts];
        this.flipped = new boolean[parts];
        for (int i = 0; i < parts; i++) {
            SortPattern.Part part = sort.parts().get(i);
            int column = 0;
            while (!bounds.columns().get(column).path().equals(part.path())) {
                column++;
            }
            columns[i] = column;
            flipped[i] = descending[column] == part.ascending();
        }
    }

    byte[] key(byte[] entryKey) {
        int[] ends = new int[descending.length + 1];
        ends[0] = NUMBER_BYTES;
        for (int column = 0; column < descending.length; column++) {
            ends[column + 1] = KeyReader.end(entryKey, ends[column], descending[column]);
        }
        int length = 0;
        for (int column : columns) {
            length += ends[column + 1] - ends[column];
        }
        byte[] key = new byte[length];
        int at = 0;
        for (int i = 0; i < columns.length; i++) {
            int begin = ends[columns[i]];
            int size = ends[columns[i] + 1] - begin;
            System.arraycopy(entryKey, begin, key, at, size);
            if (flipped[i]) {
                flip(key, at, at + size);
            }
            at += size;
        }
        return key;
    }

    private static void flip(byte[] key, int from, int to) {
        for (int i = from; i < to; i++) {
            key[i] = (byte) ~key[i];
        }
    }

    static int compare(byte[] a, byte[] b) {
        return Arrays.compareUnsigned(a, b);
    }
}
