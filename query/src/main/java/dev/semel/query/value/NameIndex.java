package dev.semel.query.value;

import dev.semel.wire.bson.ElementCursor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds the place of a field's name among those wanted, of which there may be as many as a large document has fields. Creates nothing. */
public final class NameIndex {
    /** So few are compared one after the other faster than they are searched for in an order. */
    private static final int COMPARED_WITH_EACH_MAX = 8;

    private final byte[][] names;

    /** In the order of the names' bytes; null where they are too few to be searched for. */
    private final int @Nullable [] places;

    /** @param wanted as UTF-8, each different from the others */
    public NameIndex(List<byte[]> wanted) {
        this.names = wanted.toArray(byte[][]::new);
        this.places = names.length <= COMPARED_WITH_EACH_MAX ? null : ordered(names);
    }

    private static int[] ordered(byte[][] names) {
        return IntStream.range(0, names.length)
                .boxed()
                .sorted(Comparator.comparing(place -> names[place], Arrays::compare))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Names that are different from each other, in the order that they are given in. */
    public static NameIndex of(Collection<String> names) {
        List<byte[]> wanted = new ArrayList<>(names.size());
        for (String each : names) {
            wanted.add(each.getBytes(StandardCharsets.UTF_8));
        }
        return new NameIndex(wanted);
    }

    /** The name at a place, as UTF-8; not to be changed. */
    public byte[] name(int place) {
        return names[place];
    }

    /** The place of the name of the element that the cursor is on, or -1. */
    public int placeOf(ElementCursor at) {
        return placeOf(at.array(), at.elementStart() + 1, at.valueStart() - 1);
    }

    /** The place of the name between these two positions, or -1. */
    public int placeOf(byte[] bytes, int start, int end) {
        return places == null ? compared(bytes, start, end) : searched(places, bytes, start, end);
    }

    private int compared(byte[] bytes, int start, int end) {
        for (int i = 0; i < names.length; i++) {
            if (Arrays.equals(bytes, start, end, names[i], 0, names[i].length)) {
                return i;
            }
        }
        return -1;
    }

    private int searched(int[] places, byte[] bytes, int start, int end) {
        int low = 0;
        int high = names.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            byte[] name = names[places[middle]];
            int order = Arrays.compare(name, 0, name.length, bytes, start, end);
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
