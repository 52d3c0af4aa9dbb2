package dev.semel.store.tree;

import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Walks a range of a {@link Tree} in one direction. The tree is immutable, so the walk sees exactly one version. */
public final class TreeCursor {
    private final Node root;
    private final KeyRange range;
    private final boolean reverse;

    /** The way from the root to the leaf, exclusive, and the child taken at each node. */
    private final Node[] path;

    private final int[] steps;

    private Node leaf = Node.EMPTY;

    /** The current entry of the leaf; entries of the leaf from {@code stop} on (below it in reverse) are out of range. */
    private int at;

    private int stop;

    private State state = State.NEW;

    private enum State {
        NEW,
        /** On an entry that {@link #next} has yet to yield. */
        AHEAD,
        ON_ENTRY,
        DONE
    }

    TreeCursor(Node root, KeyRange range, boolean reverse) {
        this.root = root;
        this.range = range;
        this.reverse = reverse;
        this.path = new Node[root.height];
        this.steps = new int[root.height];
    }

    /** Moves to the next entry in the cursor's direction; false after the last. */
    public boolean next() {
        switch (state) {
            case NEW -> position(reverse ? range.high() : range.low());
            case ON_ENTRY -> step();
            case AHEAD, DONE -> {}
        }
        if (state == State.DONE) {
            return false;
        }
        state = State.ON_ENTRY;
        return true;
    }

    /**
     * Skips: the following {@link #next()} yields the first entry at or beyond the key. A key that lies behind the
     * current entry changes nothing, for a cursor never goes back.
     */
    public void seek(byte[] key) {
        if (state == State.NEW) {
            next();
            state = state == State.DONE ? state : State.AHEAD;
        }
        if (state == State.DONE) {
            return;
        }
        int order = Arrays.compareUnsigned(leaf.keys[at], key);
        if (reverse ? order > 0 : order < 0) {
            position(reverse ? KeyRange.successor(key) : key);
        }
    }

    public byte[] key() {
        return leaf.keys[at];
    }

    public byte[] value() {
        return leaf.value(at);
    }

    /** Forward: to the first entry not below the bound. Reverse: to the last entry below it; none means the last of all. */
    private void position(byte @Nullable [] bound) {
        state = State.AHEAD;
        Node node = root;
        for (int depth = 0; !node.isLeaf(); depth++) {
            int child = bound == null ? node.count - 1 : node.childFor(bound);
            path[depth] = node;
            steps[depth] = child;
            node = node.child(child);
        }
        enter(node);
        at = bound == null ? node.count : node.ceiling(bound);
        if (reverse) {
            at--;
        }
        if (at < 0 || at == leaf.count) {
            nextLeaf();
        } else if (outOfRange()) {
            state = State.DONE;
        }
    }

    private void step() {
        at += reverse ? -1 : 1;
        if (outOfRange()) {
            if (at < 0 || at == leaf.count) {
                nextLeaf();
            } else {
                state = State.DONE;
            }
        }
    }

    private boolean outOfRange() {
        return reverse ? at < stop : at >= stop;
    }

    private void nextLeaf() {
        for (int depth = path.length - 1; depth >= 0; depth--) {
            int child = steps[depth] + (reverse ? -1 : 1);
            if (child >= 0 && child < path[depth].count) {
                steps[depth] = child;
                descend(path[depth].child(child), depth + 1);
                if (outOfRange()) {
                    state = State.DONE;
                }
                return;
            }
        }
        state = State.DONE;
    }

    private void descend(Node from, int fromDepth) {
        Node node = from;
        for (int depth = fromDepth; !node.isLeaf(); depth++) {
            int child = reverse ? node.count - 1 : 0;
            path[depth] = node;
            steps[depth] = child;
            node = node.child(child);
        }
        enter(node);
        at = reverse ? node.count - 1 : 0;
    }

    /** Compares with the end of the range once per leaf instead of once per entry. */
    private void enter(Node next) {
        leaf = next;
        if (reverse) {
            stop = next.count > 0 && Arrays.compareUnsigned(next.keys[0], range.low()) < 0
                    ? next.ceiling(range.low())
                    : 0;
        } else {
            byte[] high = range.high();
            stop = high != null && next.count > 0 && Arrays.compareUnsigned(next.keys[next.count - 1], high) >= 0
                    ? next.ceiling(high)
                    : next.count;
        }
    }
}
