package dev.semel.store.tree;

import dev.semel.store.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map ordered by the unsigned bytes of its keys: a B+tree whose versions share what they have in common.
 * Small maps are one leaf, so that the write set of a one-row transaction is two short arrays.
 */
public final class Tree {
    public static final Tree EMPTY = new Tree(Node.EMPTY);

    final Node root;

    Tree(Node root) {
        this.root = root;
    }

    public byte @Nullable [] get(byte[] key) {
        Node node = root;
        while (!node.isLeaf()) {
            node = node.child(node.childFor(key));
        }
        int at = node.find(key);
        return at < 0 ? null : node.value(at);
    }

    public Tree put(byte[] key, byte[] value) {
        Editor editor = new Editor(this);
        editor.put(key, value);
        return editor.tree();
    }

    public boolean isEmpty() {
        return root.size == 0;
    }

    /** Number of entries. */
    public long size() {
        return root.size;
    }

    /** Of all keys and values. */
    public long bytes() {
        return root.bytes;
    }

    /** What one entry takes in the heap, roughly. */
    public static long heapBytes(byte[] key, byte[] value) {
        return Node.heap(key, value);
    }

    /** What the entries take in the heap, roughly. */
    public long heapBytes() {
        return root.heap;
    }

    public TreeCursor cursor(KeyRange range, boolean reverse) {
        return new TreeCursor(root, range, reverse);
    }

    /** Entries in the range, exact, without walking them. */
    public long count(KeyRange range) {
        return range.isEmpty() ? 0 : rank(range.high()).entries - rank(range.low()).entries;
    }

    /** What the entries in the range take in the heap, roughly, without walking them. */
    public long heapBytes(KeyRange range) {
        return range.isEmpty() ? 0 : rank(range.high()).heap - rank(range.low()).heap;
    }

    /** What lies below a key; below no key at all lies everything. */
    private Rank rank(byte @Nullable [] key) {
        if (key == null) {
            return new Rank(root.size, root.heap);
        }
        long entries = 0;
        long heap = 0;
        Node node = root;
        while (!node.isLeaf()) {
            int at = node.childFor(key);
            for (int i = 0; i < at; i++) {
                entries += node.child(i).size;
                heap += node.child(i).heap;
            }
            node = node.child(at);
        }
        int at = node.ceiling(key);
        for (int i = 0; i < at; i++) {
            entries++;
            heap += Node.heap(node.keys[i], node.value(i));
        }
        return new Rank(entries, heap);
    }

    private record Rank(long entries, long heap) {}
}
