package dev.semel.query.value;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Finds the place of a field's name among those wanted, without creating anything; there may be as many as fields of a large document. */
public final class NameIndex {
    /** So few are compared one after the other faster than they are searched for in an order. */
    private static final int COMPARED_WITH_EACH_MAX = 8;

    private final byte[][] names;
    private final int[] places;

    /** @param wanted as UTF-8, each different from the others */
    public NameIndex(List<byte[]> wanted) {
        this.places = IntStream.range(0, wanted.size())
                .boxed()
                .sorted(Comparator.comparing(wanted::get, Arrays::compare))
                .mapToInt(Integer::intValue)
                .toArray();
        this.names = Arrays.stream(places).mapToObj(wanted::get).toArray(byte[][]::new);
    }

    /** The place of the name between these two positions, or -1. */
    public int of(byte[] bytes, int start, int end) {
        return names.length <= COMPARED_WITH_EACH_MAX ? compared(bytes, start, end) : searched(bytes, start, end);
    }

    private int compared(byte[] bytes, int start, int end) {
        for (int i = 0; i < names.length; i++) {
            if (Arrays.equals(bytes, start, end, names[i], 0, names[i].length)) {
                return places[i];
            }
        }
        return -1;
    }

    private int searched(byte[] bytes, int start, int end) {
        int low = 0;
        int high = names.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Arrays.compare(names[middle], 0, names[middle].length, bytes, start, end);
            if (order == 0) {
                return places[middle];
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
