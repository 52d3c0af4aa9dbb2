package dev.semel.store.memory;

import dev.semel.store.Batch;
import dev.semel.store.RowSource;
import dev.semel.store.Staged;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.tree.Tree;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Trees with the rows of a large commit in them. Since they were begun others have gone on writing to other keys, which is
 * written here too: most of it before the commit takes its place, the rest, which is not much by then, in its place.
 */
final class StagedTrees implements Staged {
    /** Others cannot write faster than this catches up for long. */
    private static final int ROUNDS_MAX = 8;

    private final Editors editors;
    private final Runnable onClose;
    private final Queue<Batch> missed = new ConcurrentLinkedQueue<>();

    StagedTrees(Tree[] before, Runnable onClose) {
        this.editors = new Editors(before);
        this.onClose = onClose;
    }

    void build(RowSource rows) {
        rows.applyTo(editors);
        for (int round = 0; round < ROUNDS_MAX && !missed.isEmpty(); round++) {
            catchUp();
        }
    }

    /** By the one writer of the store. */
    void missed(Batch batch) {
        missed.add(batch);
    }

    private void catchUp() {
        int count = missed.size();
        for (int i = 0; i < count; i++) {
            missed.remove().applyTo(new InEditedTables(editors));
        }
    }

    /** On top of the newest trees, of which the tables count that have no rows here. */
    Editors finish(Tree[] newest) {
        catchUp();
        onClose.run();
        return editors.over(newest);
    }

    @Override
    public void close() {
        onClose.run();
    }

    private record InEditedTables(Editors editors) implements Batch.Target {
        @Override
        public void put(Table table, byte[] key, byte[] value) {
            if (editors.isEdited(table)) {
                editors.put(table, key, value);
            }
        }

        @Override
        public void delete(Table table, byte[] key) {
            if (editors.isEdited(table)) {
                editors.delete(table, key);
            }
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            if (editors.isEdited(table)) {
                editors.deleteRange(table, range);
            }
        }
    }
}
