package dev.semel.server.oplog;

import dev.semel.server.oplog.Operation.Head;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields that changes of one kind in one collection begin with, kept once for all of a run. */
final class Heads {
    /** A change refers to them by two bytes. */
    private static final int SIZE_MAX = 1 << Short.SIZE;

    private static final int FIXED_HEAP_BYTES = 256;

    private final Map<Head, Integer> numbers = new HashMap<>();
    private final List<byte[]> elements = new ArrayList<>();
    private long heapBytes;
    private int longest;

    /** Those that were asked for last, as most are again. */
    private @Nullable Head last;

    private int numberOfLast;

    /** Where these fields are kept, which are the first elements of the array from a place on; -1 if there is no room. */
    int number(Head head, byte[] from, int start) {
        if (head.equals(last)) {
            return numberOfLast;
        }
        Integer known = numbers.get(head);
        if (known != null) {
            return note(head, known);
        }
        if (elements.size() == SIZE_MAX) {
            return -1;
        }
        byte[] kept = new byte[head.bytes()];
        System.arraycopy(from, start, kept, 0, kept.length);
        numbers.put(head, elements.size());
        elements.add(kept);
        heapBytes += FIXED_HEAP_BYTES + 2L * kept.length;
        longest = Math.max(longest, kept.length);
        return note(head, elements.size() - 1);
    }

    private int note(Head head, int number) {
        last = head;
        numberOfLast = number;
        return number;
    }

    byte[] elements(int number) {
        return elements.get(number);
    }

    /** Of the longest, in bytes. */
    int longest() {
        return longest;
    }

    long heapBytes() {
        return heapBytes;
    }
}
