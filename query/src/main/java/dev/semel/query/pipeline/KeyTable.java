package dev.semel.query.pipeline;

import dev.semel.query.value.Collation;
import dev.semel.query.value.Held;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers distinct values 0, 1, 2 ... in the order of their first appearance. Values are equal as they are in a filter: 1
 * and 1.0 are one. They are hashed and compared as the bytes they have in a document and kept in one array, so that
 * looking up a value that was seen before creates nothing.
 */
final class KeyTable {
    private static final int ENTRY_BYTES = 24;
    private static final byte NULL = 0x0A;

    private final MemoryBudget budget;
    private final Collation collation;

    /** Under a collation the values as they were first seen, while the table has their keys. */
    private final List<Value> originals = new ArrayList<>();

    private int[] slots = new int[64];
    private int shift = Integer.SIZE - 6;
    private int[] hashes = new int[32];
    private int[] starts = new int[32];
    private byte[] keys = new byte[512];
    private int keysEnd;
    private int size;

    KeyTable(MemoryBudget budget, Collation collation) {
        this.budget = budget;
        this.collation = collation;
        Arrays.fill(slots, -1);
    }

    int size() {
        return size;
    }

    /** The number of a value; the value gets one if it has none, which shows in {@link #size}. */
    int number(byte type, byte[] bytes, int at) {
        return collation.isSimple() ? find(type, bytes, at) : number(ElementCursor.decode(bytes, type, at));
    }

    private int find(byte type, byte[] bytes, int at) {
        int hash = ValueOrder.hash(type, bytes, at) * 0x9E37_79B9;
        int mask = slots.length - 1;
        for (int slot = hash >>> shift; ; slot = (slot + 1) & mask) {
            int number = slots[slot];
            if (number < 0) {
                slots[slot] = size;
                return add(hash, type, bytes, at);
            }
            if (hashes[number] == hash && isEqual(number, type, bytes, at)) {
                return number;
            }
        }
    }

    int number(Value value) {
        RawDocument holder = new BsonWriter(32).add(collation.key(value)).finish();
        ElementCursor at = holder.cursor();
        at.next();
        int number = find(at.array()[at.elementStart()], at.array(), at.valueStart());
        if (!collation.isSimple() && number == originals.size()) {
            budget.charge(Held.bytes(value));
            originals.add(Held.copy(value));
        }
        return number;
    }

    /** The number of null, which a missing value counts as. */
    int numberOfNull() {
        return collation.isSimple() ? find(NULL, keys, 0) : number(Value.NULL);
    }

    private boolean isEqual(int number, byte type, byte[] bytes, int at) {
        int start = starts[number];
        return ValueOrder.compare(keys[start], keys, start + 1, type, bytes, at) == 0;
    }

    private int add(int hash, byte type, byte[] bytes, int at) {
        int length = ElementCursor.valueLength(bytes, type, at);
        budget.charge(length + ENTRY_BYTES);
        if (keys.length - keysEnd <= length) {
            keys = Arrays.copyOf(keys, Math.max(Math.addExact(keysEnd, length + 1), (int)
                    Math.min(keys.length * 2L, Integer.MAX_VALUE - 16)));
        }
        if (size == starts.length) {
            starts = Arrays.copyOf(starts, size * 2);
            hashes = Arrays.copyOf(hashes, size * 2);
        }
        starts[size] = keysEnd;
        hashes[size] = hash;
        keys[keysEnd] = type;
        System.arraycopy(bytes, at, keys, keysEnd + 1, length);
        keysEnd += length + 1;
        size++;
        if (size * 2 > slots.length) {
            grow();
        }
        return size - 1;
    }

    private void grow() {
        slots = new int[slots.length * 2];
        shift--;
        Arrays.fill(slots, -1);
        int mask = slots.length - 1;
        for (int number = 0; number < size; number++) {
            int slot = hashes[number] >>> shift;
            while (slots[slot] >= 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = number;
        }
    }

    /** The value with a number, as it was first seen. */
    Value value(int number) {
        if (!collation.isSimple()) {
            return originals.get(number);
        }
        int start = starts[number];
        return ElementCursor.decode(keys, keys[start], start + 1);
    }
}
