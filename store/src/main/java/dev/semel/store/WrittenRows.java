package dev.semel.store;

import dev.semel.store.tree.TreeCursor;

/** A walk over what a transaction has written, deletions included. For one thread. */
interface WrittenRows extends AutoCloseable {
    /** Moves on; false after the last row. */
    boolean next();

    byte[] key();

    /** The value; {@link Writes#DELETED} if the key is deleted. */
    byte[] value();

    default boolean isDeletion() {
        return Writes.isDeleted(value());
    }

    /** As {@link Scan#seek}. */
    void seek(byte[] key);

    @Override
    void close();

    /** Those in the heap. */
    record InHeap(TreeCursor cursor) implements WrittenRows {
        @Override
        public boolean next() {
            return cursor.next();
        }

        @Override
        public byte[] key() {
            return cursor.key();
        }

        @Override
        public byte[] value() {
            return cursor.value();
        }

        @Override
        public void seek(byte[] key) {
            cursor.seek(key);
        }

        @Override
        public void close() {
            // Nothing but the heap has it.
        }
    }
}
