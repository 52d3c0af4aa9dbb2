package dev.semel.server.net;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts what goes out, and knows how long the client has taken nothing of it. */
final class CountedOutput extends FilterOutputStream {
    private static final int CHUNK_BYTES = 64 << 10;

    private final LongAdder bytes;
    private final LongSupplier nanoTime;

    /** When the chunk that is being written was begun; 0 if none is. */
    private volatile long sinceNanos;

    CountedOutput(OutputStream out, LongAdder bytes, LongSupplier nanoTime) {
        super(out);
        this.bytes = bytes;
        this.nanoTime = nanoTime;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        try {
            for (int done = 0; done < length; done += CHUNK_BYTES) {
                sinceNanos = Math.max(1, nanoTime.getAsLong());
                out.write(from, offset + done, Math.min(CHUNK_BYTES, length - done));
            }
        } finally {
            sinceNanos = 0;
        }
        bytes.add(length);
    }

    /** For how long the client has taken nothing of what waits for it; 0 if nothing does. */
    long stalledNanos() {
        long since = sinceNanos;
        return since == 0 ? 0 : nanoTime.getAsLong() - since;
    }
}
