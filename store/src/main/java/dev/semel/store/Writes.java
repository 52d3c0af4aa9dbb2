package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.store.tree.Tree;
import dev.semel.store.tree.TreeCursor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has written so far, ordered as the tables are. Immutable: a view, a cursor or a savepoint keeps the
 * root it began with, whatever the transaction does next, and rollback is forgetting.
 */
final class Writes {
    // Before what is made with it.
    private static final Table[] TABLES = Table.values();

    static final Writes NONE = new Writes(emptyTrees(), 0, 0, null);

    /** In the place of a value: the key is deleted. Distinguished from an empty value by identity. */
    static final byte[] DELETED = new byte[0];

    /** One for each table, and behind them the keys that are written to without being rows (see {@link #mark}). */
    private final Tree[] trees;

    private final long bytes;
    private final long addedBytes;

    /** What the heap does not hold, below what is in the trees; null if they have all. */
    private final SpilledWrites.@Nullable State spilled;

    private Writes(Tree[] trees, long bytes, long addedBytes, SpilledWrites.@Nullable State spilled) {
        this.trees = trees;
        this.bytes = bytes;
        this.addedBytes = addedBytes;
        this.spilled = spilled;
    }

    /** All of what was spilled, and nothing else. Its {@link #mark}s are gone. */
    static Writes of(SpilledWrites.State spilled) {
        return new Writes(emptyTrees(), 0, 0, spilled);
    }

    /** The same on top of an equal state. */
    Writes over(SpilledWrites.State equal) {
        return new Writes(trees, bytes, addedBytes, equal);
    }

    SpilledWrites.@Nullable State spilled() {
        return spilled;
    }

    /** What an entry takes in the heap if its key is a new one. */
    static long heapBytes(byte[] key, byte[] value) {
        return Tree.heapBytes(key, value);
    }

    private static Tree[] emptyTrees() {
        Tree[] trees = new Tree[TABLES.length * 2];
        java.util.Arrays.fill(trees, Tree.EMPTY);
        return trees;
    }

    /** The value or {@link #isDeleted its absence}; null if this key was not written. */
    byte @Nullable [] get(Table table, byte[] key) {
        byte[] inHeap = trees[table.index()].get(key);
        return inHeap != null || spilled == null ? inHeap : spilled.get(table, key);
    }

    /** Of a value that {@link #get} or a cursor returned. An array equals itself alone. */
    static boolean isDeleted(Object value) {
        return value.equals(DELETED);
    }

    Writes put(Table table, byte[] key, byte[] value) {
        return with(table.index(), key, value);
    }

    Writes delete(Table table, byte[] key) {
        return with(table.index(), key, DELETED);
    }

    /** Notes a key that others may find changed although no row has it: a unique value, whose rows end in an id. */
    Writes mark(Table table, byte[] key) {
        return with(TABLES.length + table.index(), key, DELETED);
    }

    private Writes with(int tree, byte[] key, byte[] value) {
        Tree[] changed = trees.clone();
        changed[tree] = trees[tree].put(key, value);
        long more = changed[tree].heapBytes() - trees[tree].heapBytes();
        boolean isData = tree == Table.DOCUMENTS.index() || tree == Table.INDEXES.index();
        long added = !isData ? 0 : isDeleted(value) ? Math.min(0, more) : more;
        return new Writes(changed, bytes + more, addedBytes + added, spilled);
    }

    boolean isEmpty() {
        return this == NONE;
    }

    boolean isHeapEmpty(Table table) {
        return trees[table.index()].isEmpty();
    }

    private boolean isEmpty(Table table) {
        return spilled == null && isHeapEmpty(table);
    }

    /** How many documents and index entries this changes, without those that were spilled. */
    long rows() {
        return trees[Table.DOCUMENTS.index()].size() + trees[Table.INDEXES.index()].size();
    }

    /** Roughly what this takes in the heap. What was spilled takes nothing. */
    long bytes() {
        return bytes;
    }

    /** By how much documents and index entries become more at most, if their table is in the heap. */
    long addedBytes() {
        return addedBytes;
    }

    TreeCursor cursor(Table table, KeyRange range, boolean reverse) {
        return trees[table.index()].cursor(range, reverse);
    }

    /** Adds the rows of some tables, which are all in the heap, or all spilled. */
    void addTo(Batch.Target target, Predicate<Table> which) {
        for (Table table : TABLES) {
            if (which.test(table) && !isEmpty(table)) {
                try (WrittenRows rows = rows(table)) {
                    add(table, rows, target);
                }
            }
        }
    }

    private WrittenRows rows(Table table) {
        return spilled == null
                ? new WrittenRows.InHeap(cursor(table, KeyRange.ALL, false))
                : spilled.rows(table, KeyRange.ALL, false);
    }

    private static void add(Table table, WrittenRows rows, Batch.Target target) {
        while (rows.next()) {
            if (rows.isDeletion()) {
                target.delete(table, rows.key());
            } else {
                target.put(table, rows.key(), rows.value());
            }
        }
    }

    void forEachInHeap(RowVisitor visitor) {
        for (Table table : TABLES) {
            if (!isHeapEmpty(table)) {
                for (TreeCursor at = cursor(table, KeyRange.ALL, false); at.next(); ) {
                    visitor.visit(table, at.key(), at.value());
                }
            }
        }
    }

    interface RowVisitor {
        void visit(Table table, byte[] key, byte[] value);
    }

    /** Whether a later writer of this document or marked key conflicts with this one. */
    boolean isConflictKey(Table table, byte[] key) {
        return (table == Table.DOCUMENTS && get(table, key) != null)
                || trees[TABLES.length + table.index()].get(key) != null;
    }

    /** Visits the keys on which later writers could conflict with this one: documents and marked keys. */
    void forEachConflictKey(KeyVisitor visitor) {
        for (TreeCursor at = cursor(Table.DOCUMENTS, KeyRange.ALL, false); at.next(); ) {
            visitor.visit(Table.DOCUMENTS, at.key());
        }
        for (Table table : TABLES) {
            Tree marks = trees[TABLES.length + table.index()];
            if (!marks.isEmpty()) {
                for (TreeCursor at = marks.cursor(KeyRange.ALL, false); at.next(); ) {
                    visitor.visit(table, at.key());
                }
            }
        }
    }

    interface KeyVisitor {
        void visit(Table table, byte[] key);
    }
}
