package dev.semel.server.net;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.LongAdder;

/** Counts what comes in. */
final class CountedInput extends FilterInputStream {
    private final LongAdder bytes;

    CountedInput(InputStream in, LongAdder bytes) {
        super(in);
        this.bytes = bytes;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = in.read(into, offset, length);
        if (read > 0) {
            bytes.add(read);
        }
        return read;
    }
}
