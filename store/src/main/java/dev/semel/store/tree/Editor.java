package dev.semel.store.tree;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.memory.HeapBytes;
import org.jspecify.annotations.Nullable;

/**
 * Applies many changes to a {@link Tree} and copies each touched node once: nodes made here carry this editor's mark and
 * are changed in place until the tree is handed out. For one thread; finished by {@link #tree()}.
 */
public final class Editor {
    private static final int SPARSE = Node.WIDTH / 4;

    private final Node.Owner owner = new Node.Owner();

    private Node root;

    /** The right half of a node that {@link #put} has just split; the parent picks it up. */
    private @Nullable Node split;

    private boolean finished;

    private long replacedHeap;

    public Editor(Tree tree) {
        this.root = tree.root;
    }

    /** The result; the editor is of no use afterwards. */
    public Tree tree() {
        finished = true;
        return root.size == 0 ? Tree.EMPTY : new Tree(root);
    }

    /** What this has taken out of the tree, or replaced, and so is kept by older versions of it alone: in the heap, roughly. */
    public long replacedHeapBytes() {
        return replacedHeap;
    }

    public byte @Nullable [] get(byte[] key) {
        return new Tree(root).get(key);
    }

    public void put(byte[] key, byte[] value) {
        assert !finished;
        root = put(root, key, value);
        Node right = split;
        if (right != null) {
            split = null;
            Node above = new Node(owner, root.height + 1, 4);
            above.insert(0, root.keys[0], root);
            above.insert(1, right.keys[0], right);
            above.recount();
            root = above;
        }
    }

    public void remove(byte[] key) {
        assert !finished;
        if (get(key) != null) {
            root = remove(root, key);
            shrinkRoot();
        }
    }

    /** Removes whole subtrees where it can, so that dropping a large collection does not stall other writers. */
    public void removeRange(KeyRange range) {
        assert !finished;
        if (!range.isEmpty()) {
            long before = root.heap;
            root = removeRange(root, range.low(), range.high());
            replacedHeap += before - root.heap;
            shrinkRoot();
        }
    }

    private Node owned(Node node) {
        if (node.owner == owner) {
            return node;
        }
        replacedHeap += node.ownHeap();
        return node.copy(owner);
    }

    private Node put(Node shared, byte[] key, byte[] value) {
        Node node = owned(shared);
        if (node.isLeaf()) {
            putIntoLeaf(node, key, value);
            return node;
        }
        int at = node.childFor(key);
        Node before = node.child(at);
        node.size -= before.size;
        node.bytes -= before.bytes;
        node.heap -= before.heap;
        Node after = put(before, key, value);
        node.slots[at] = after;
        node.size += after.size;
        node.bytes += after.bytes;
        node.heap += after.heap;
        Node right = split;
        if (right != null) {
            split = null;
            node.size += right.size;
            node.bytes += right.bytes;
            node.heap += right.heap;
            insertChild(node, at + 1, right);
        }
        return node;
    }

    private void putIntoLeaf(Node leaf, byte[] key, byte[] value) {
        int found = leaf.find(key);
        if (found >= 0) {
            byte[] old = leaf.value(found);
            long oldHeap = HeapBytes.ofArray(old.length);
            leaf.bytes += value.length - old.length;
            leaf.heap += HeapBytes.ofArray(value.length) - oldHeap;
            leaf.slots[found] = value;
            replacedHeap += oldHeap;
            return;
        }
        int at = ~found;
        Node target = leaf;
        if (leaf.count == Node.WIDTH) {
            Node right = splitAt(leaf, at);
            if (at > leaf.count || leaf.count == Node.WIDTH) {
                target = right;
                at -= leaf.count;
            }
        }
        target.insert(at, key, value);
        target.size++;
        target.bytes += key.length + value.length;
        target.heap += Node.heap(key, value);
    }

    private void insertChild(Node node, int at, Node child) {
        Node target = node;
        int position = at;
        if (node.count == Node.WIDTH) {
            Node right = splitAt(node, at);
            if (at > node.count || node.count == Node.WIDTH) {
                target = right;
                position -= node.count;
            }
            target.insert(position, child.keys[0], child);
            node.recount();
            right.recount();
        } else {
            target.insert(position, child.keys[0], child);
        }
    }

    /**
     * Leaves the new right half in {@link #split}. Keys that only grow, as most identifiers do, always split at the end:
     * there the full node stays full instead of half empty for ever. The right half is then without entries for the
     * moment, and takes the one that is being inserted.
     */
    private Node splitAt(Node node, int insertion) {
        int from = insertion == Node.WIDTH ? Node.WIDTH : Node.WIDTH / 2;
        Node right = node.part(owner, from, Node.WIDTH, Node.WIDTH / 2 + 1);
        if (from < Node.WIDTH) {
            node.removeSlots(from, Node.WIDTH);
            node.recount();
            node.takeHeads();
        }
        split = right;
        return right;
    }

    private Node remove(Node shared, byte[] key) {
        Node node = owned(shared);
        if (node.isLeaf()) {
            int at = node.find(key);
            node.size--;
            node.bytes -= node.keys[at].length + node.value(at).length;
            long entryHeap = Node.heap(node.keys[at], node.value(at));
            node.heap -= entryHeap;
            replacedHeap += entryHeap;
            node.removeSlots(at, at + 1);
            return node;
        }
        int at = node.childFor(key);
        Node before = node.child(at);
        node.size -= before.size;
        node.bytes -= before.bytes;
        node.heap -= before.heap;
        Node after = remove(before, key);
        node.size += after.size;
        node.bytes += after.bytes;
        node.heap += after.heap;
        node.slots[at] = after;
        tidy(node, at);
        return node;
    }

    private Node removeRange(Node shared, byte[] low, byte @Nullable [] high) {
        Node node = owned(shared);
        if (node.isLeaf()) {
            int from = node.ceiling(low);
            int to = high == null ? node.count : node.ceiling(high);
            if (from < to) {
                node.removeSlots(from, to);
            }
            node.recount();
            return node;
        }
        int first = node.childFor(low);
        int last = high == null ? node.count - 1 : node.childFor(high);
        node.slots[first] = removeRange(node.child(first), low, high);
        if (last > first) {
            node.slots[last] = removeRange(node.child(last), low, high);
            node.removeSlots(first + 1, last);
            tidy(node, first + 1);
        }
        tidy(node, first);
        node.recount();
        return node;
    }

    /** Drops an empty child; joins one that has become sparse with a neighbour if both fit into one node. */
    private void tidy(Node node, int at) {
        Node child = node.child(at);
        if (child.count == 0) {
            node.removeSlots(at, at + 1);
        } else if (child.count < SPARSE && node.count > 1) {
            int left = at > 0 ? at - 1 : at;
            Node a = node.child(left);
            Node b = node.child(left + 1);
            if (a.count + b.count <= Node.WIDTH / 2) {
                node.slots[left] = joined(a, b, node.keys[left + 1]);
                node.removeSlots(left + 1, left + 2);
            }
        }
    }

    private Node joined(Node a, Node b, byte[] lowerBoundOfB) {
        Node joined = a.part(owner, 0, a.count, Node.WIDTH);
        System.arraycopy(b.keys, 0, joined.keys, a.count, b.count);
        System.arraycopy(b.slots, 0, joined.slots, a.count, b.count);
        if (!b.isLeaf()) {
            // The first bound of an inner node is not kept exact; here it becomes one that is looked at.
            joined.keys[a.count] = lowerBoundOfB;
        }
        joined.count = a.count + b.count;
        joined.size = a.size + b.size;
        joined.bytes = a.bytes + b.bytes;
        joined.heap = a.heap + b.heap;
        joined.takeHeads();
        return joined;
    }

    private void shrinkRoot() {
        while (!root.isLeaf() && root.count == 1) {
            root = root.child(0);
        }
        if (root.count == 0) {
            root = Node.EMPTY;
        }
    }
}
