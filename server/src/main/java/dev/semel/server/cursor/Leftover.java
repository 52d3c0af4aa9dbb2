package dev.semel.server.cursor;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillSpace;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import org.jspecify.annotations.Nullable;

/**
 * A document that was read and did not fit its batch. A large one for which the memory of cursors has no room is in a temporary
 * file: cursors of others must not be ended for it.
 */
sealed interface Leftover extends AutoCloseable {
    /** Keeps a document; it counts as memory of the cursor while it is in the heap. */
    static Leftover of(RawDocument document, CursorMemory.Held memory, SpillSpace files) {
        if (!memory.tryTake(document.length())) {
            SpilledRun file = document.length() > CursorMemory.SMALL_BYTES ? spilled(document, files) : null;
            if (file != null) {
                return new OnDisk(file);
            }
            memory.take(document.length(), "A cursor's next document");
        }
        return new InHeap(document.detached(), memory);
    }

    /** Null if the disk has no room either. */
    private static @Nullable SpilledRun spilled(RawDocument document, SpillSpace files) {
        try (SpillWriter writer = files.write()) {
            writer.add(document.array(), document.offset(), document.length());
            return writer.finish();
        } catch (CommandException e) {
            if (e.code().equals(ErrorCode.OutOfDiskSpace)) {
                return null;
            }
            throw e;
        }
    }

    /** The document, which is not kept any more. */
    RawDocument take();

    /** Without having been taken. */
    @Override
    void close();

    /** A document that is counted. */
    record InHeap(RawDocument document, CursorMemory.Held memory) implements Leftover {
        @Override
        public RawDocument take() {
            close();
            return document;
        }

        @Override
        public void close() {
            memory.shrink(document.length());
        }
    }

    /** The only record of a file. */
    record OnDisk(SpilledRun file) implements Leftover {
        @Override
        public RawDocument take() {
            try (SpillReader reader = file.read()) {
                if (!reader.next()) {
                    throw new IllegalStateException("an empty file");
                }
                return RawDocument.of(reader.copy());
            } finally {
                close();
            }
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
