package dev.semel.store.tree;

import dev.semel.wire.memory.HeapBytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link Tree}: keys with values in a leaf, lower bounds with children above. Only the {@link Editor} that
 * created a node changes it, and only until it hands out the tree; for all others nodes are immutable.
 *
 * <p>To look at a key is to wait for memory, so a search looks at numbers first that lie next to each other: of each key, the
 * four bytes behind those that all keys of the node begin with.
 */
final class Node {
    /** Entries in a node at most. Wider nodes make scans faster and single writes, which copy a path, slower. */
    static final int WIDTH = 32;

    private static final int ENTRY_BYTES = 20;
    private static final int NODE_BYTES = 144;

    /** Fewer keys are compared as fast as their heads. */
    private static final int HEADS_MIN = 8;

    private static final int[] NO_HEADS = {};

    /** What the beginnings of keys are compared with is kept in two numbers. */
    private static final int SHARED_MAX = 2 * Long.BYTES;

    static final Node EMPTY = new Node(null, 0, 0);

    final @Nullable Owner owner;
    final int height;

    /** Sorted. Above the leaves keys[i] is a lower bound of child i; keys[0] is not looked at. */
    byte[][] keys;

    /** Values (byte[]) in a leaf, else nodes. */
    Object[] slots;

    int count;

    /** Of each key that is looked at, the bytes behind the shared ones; there are none while there are few keys. */
    private int[] heads = NO_HEADS;

    /** Whether the arrays of keys and heads are those of another node, too, and so must be copied before they change. */
    private boolean borrowsKeys;

    /** How many bytes at the beginning are the same in all keys that are looked at; there may be more. */
    private int shared;

    private long sharedFirst;
    private long sharedSecond;

    /** Entries in the leaves below, the bytes of their keys and values, and what those take in the heap. */
    long size;

    long bytes;
    long heap;

    /**
     * Identity of the edit that made a node. Not the {@link Editor} itself: it refers to the whole tree, and a node that has
     * passed from version to version would keep the one alive in which it was made, and through its nodes all before it.
     */
    static final class Owner {}

    Node(@Nullable Owner owner, int height, int capacity) {
        this(owner, height, new byte[capacity][], new Object[capacity]);
    }

    private Node(@Nullable Owner owner, int height, byte[][] keys, Object[] slots) {
        this.owner = owner;
        this.height = height;
        this.keys = keys;
        this.slots = slots;
    }

    /** The same entries in a node to be changed, with room for one more. Most changes replace a value or a child and leave the keys. */
    Node copy(Owner newOwner) {
        Node copy = new Node(newOwner, height, keys, Arrays.copyOf(slots, Math.min(WIDTH, count + 1)));
        copy.borrowsKeys = true;
        copy.count = count;
        copy.size = size;
        copy.bytes = bytes;
        copy.heap = heap;
        copy.heads = heads;
        copy.shared = shared;
        copy.sharedFirst = sharedFirst;
        copy.sharedSecond = sharedSecond;
        return copy;
    }

    /** A part of this node as a separate node, with room for more. */
    Node part(Owner newOwner, int from, int to, int capacity) {
        Node part = new Node(newOwner, height, capacity);
        part.count = to - from;
        System.arraycopy(keys, from, part.keys, 0, part.count);
        System.arraycopy(slots, from, part.slots, 0, part.count);
        part.recount();
        part.takeHeads();
        return part;
    }

    /** After a change of many keys. */
    void takeHeads() {
        if (count < HEADS_MIN) {
            heads = NO_HEADS;
            return;
        }
        byte[] lowest = keys[firstCompared()];
        byte[] highest = keys[count - 1];
        int mismatch = Arrays.mismatch(lowest, highest);
        shared = Math.min(mismatch < 0 ? lowest.length : mismatch, SHARED_MAX);
        sharedFirst = Heads.first(Heads.eight(lowest, 0), shared);
        sharedSecond = Heads.first(Heads.eight(lowest, Long.BYTES), shared - Long.BYTES);
        heads = new int[slots.length];
        for (int i = firstCompared(); i < count; i++) {
            heads[i] = Heads.four(keys[i], shared);
        }
    }

    private int firstCompared() {
        return isLeaf() ? 0 : 1;
    }

    private boolean hasHeadsFor(byte[] key) {
        return heads.length > 0
                && key.length >= shared
                && Heads.first(Heads.eight(key, 0), shared) == sharedFirst
                && (shared <= Long.BYTES
                        || Heads.first(Heads.eight(key, Long.BYTES), shared - Long.BYTES) == sharedSecond);
    }

    boolean isLeaf() {
        return height == 0;
    }

    Node child(int at) {
        return (Node) slots[at];
    }

    byte[] value(int at) {
        return (byte[]) slots[at];
    }

    /** Where the key is in this leaf, or the complement of where it would be. */
    int find(byte[] key) {
        boolean byHeads = hasHeadsFor(key);
        int head = byHeads ? Heads.four(key, shared) : 0;
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = byHeads ? Integer.compare(heads[middle], head) : 0;
            if (order == 0) {
                order = Arrays.compareUnsigned(keys[middle], key);
            }
            if (order < 0) {
                low = middle + 1;
            } else if (order > 0) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return ~low;
    }

    /** The first entry of this leaf that is not below the key. */
    int ceiling(byte[] key) {
        int at = find(key);
        return at >= 0 ? at : ~at;
    }

    /** The child in which the key is, if it is anywhere. */
    int childFor(byte[] key) {
        boolean byHeads = hasHeadsFor(key);
        int head = byHeads ? Heads.four(key, shared) : 0;
        int low = 1;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = byHeads ? Integer.compare(heads[middle], head) : 0;
            if (order == 0) {
                order = Arrays.compareUnsigned(keys[middle], key);
            }
            if (order <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return low - 1;
    }

    void insert(int at, byte[] key, Object slot) {
        if (count == slots.length) {
            slots = Arrays.copyOf(slots, Math.min(WIDTH, count + Math.max(4, count >> 1)));
        }
        ownKeys();
        System.arraycopy(keys, at, keys, at + 1, count - at);
        System.arraycopy(slots, at, slots, at + 1, count - at);
        keys[at] = key;
        slots[at] = slot;
        count++;
        if (at >= firstCompared() && hasHeadsFor(key)) {
            System.arraycopy(heads, at, heads, at + 1, count - 1 - at);
            heads[at] = Heads.four(key, shared);
        } else {
            takeHeads();
        }
    }

    /** Makes the keys changeable, with room for as many as there are slots. */
    private void ownKeys() {
        if (borrowsKeys || keys.length < slots.length) {
            keys = Arrays.copyOf(keys, slots.length);
            heads = heads.length == 0 ? NO_HEADS : Arrays.copyOf(heads, slots.length);
            borrowsKeys = false;
        }
    }

    void removeSlots(int from, int to) {
        ownKeys();
        System.arraycopy(keys, to, keys, from, count - to);
        System.arraycopy(slots, to, slots, from, count - to);
        if (heads.length > 0) {
            System.arraycopy(heads, to, heads, from, count - to);
        }
        int left = count - (to - from);
        Arrays.fill(keys, left, count, null);
        Arrays.fill(slots, left, count, null);
        count = left;
    }

    void recount() {
        size = 0;
        bytes = 0;
        heap = 0;
        if (isLeaf()) {
            size = count;
            for (int i = 0; i < count; i++) {
                bytes += keys[i].length + value(i).length;
                heap += heap(keys[i], value(i));
            }
        } else {
            for (int i = 0; i < count; i++) {
                size += child(i).size;
                bytes += child(i).bytes;
                heap += child(i).heap;
            }
        }
    }

    /** What an entry takes: its arrays, the references to them, and its share of the node. */
    static long heap(byte[] key, byte[] value) {
        return HeapBytes.ofArray(key.length) + HeapBytes.ofArray(value.length) + ENTRY_BYTES;
    }

    /** What this node takes without its entries. */
    long ownHeap() {
        return NODE_BYTES + 8L * slots.length + 4L * heads.length;
    }
}
