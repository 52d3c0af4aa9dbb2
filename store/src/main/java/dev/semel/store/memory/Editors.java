package dev.semel.store.memory;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.tree.Editor;
import dev.semel.store.tree.Tree;
import org.jspecify.annotations.Nullable;

/** The next version of the trees in the making. */
final class Editors implements Batch.Target {
    private final Tree[] before;
    private final @Nullable Editor[] editors;

    Editors(Tree[] before) {
        this(before, new @Nullable Editor[before.length]);
    }

    private Editors(Tree[] before, @Nullable Editor[] editors) {
        this.before = before;
        this.editors = editors;
    }

    /** The same on top of other trees, of which those count that have not been edited. */
    Editors over(Tree[] others) {
        return new Editors(others, editors);
    }

    private Editor editor(Table table) {
        int at = table.index();
        Editor editor = editors[at];
        if (editor == null) {
            editor = new Editor(before[at]);
            editors[at] = editor;
        }
        return editor;
    }

    boolean isEdited(Table table) {
        return editors[table.index()] != null;
    }

    Tree[] trees() {
        Tree[] trees = before.clone();
        for (int i = 0; i < trees.length; i++) {
            Editor editor = editors[i];
            if (editor != null) {
                trees[i] = editor.tree();
            }
        }
        return trees;
    }

    long replacedHeapBytes() {
        long bytes = 0;
        for (Editor each : editors) {
            bytes += each == null ? 0 : each.replacedHeapBytes();
        }
        return bytes;
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        editor(table).put(key, value);
    }

    @Override
    public void delete(Table table, byte[] key) {
        editor(table).remove(key);
    }

    @Override
    public void deleteRange(Table table, KeyRange range) {
        editor(table).removeRange(range);
    }
}
