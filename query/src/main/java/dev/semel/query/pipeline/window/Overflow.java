package dev.semel.query.pipeline.window;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillSpace;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Documents in files: the first ones are read while others are added behind the last one. */
final class Overflow implements AutoCloseable {
    private final SpillSpace space;
    private final WindowMemory memory;
    private final ArrayDeque<SpilledRun> runs = new ArrayDeque<>();
    private @Nullable SpillWriter writer;
    private @Nullable SpillReader reader;
    private long count;

    Overflow(SpillSpace space, WindowMemory memory) {
        this.space = space;
        this.memory = memory;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void add(RawDocument document) {
        SpillWriter out = writer;
        if (out == null) {
            memory.charge(SpillSpace.BUFFER_BYTES);
            out = space.write();
            writer = out;
        }
        out.add(document.array(), document.offset(), document.length());
        count++;
    }

    /** The first one that has not been read; there is one. */
    RawDocument next() {
        while (true) {
            SpillReader in = reader;
            if (in == null) {
                in = first().read();
                reader = in;
                memory.charge(SpillSpace.BUFFER_BYTES);
            }
            if (in.next()) {
                count--;
                return RawDocument.of(in.copy());
            }
            closeReader();
            runs.remove().close();
        }
    }

    private SpilledRun first() {
        SpillWriter out = writer;
        if (runs.isEmpty() && out != null) {
            runs.add(out.finish());
            writer = null;
            memory.release(SpillSpace.BUFFER_BYTES);
        }
        return runs.getFirst();
    }

    private void closeReader() {
        SpillReader in = reader;
        if (in != null) {
            in.close();
            reader = null;
            memory.release(SpillSpace.BUFFER_BYTES);
        }
    }

    @Override
    public void close() {
        closeReader();
        SpillWriter out = writer;
        if (out != null) {
            out.close();
            writer = null;
            memory.release(SpillSpace.BUFFER_BYTES);
        }
        runs.forEach(SpilledRun::close);
        runs.clear();
        count = 0;
    }
}
