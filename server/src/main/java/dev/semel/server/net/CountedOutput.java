package dev.semel.server.net;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.LongAdder;

/** Counts what goes out. */
final class CountedOutput extends FilterOutputStream {
    private final LongAdder bytes;

    CountedOutput(OutputStream out, LongAdder bytes) {
        super(out);
        this.bytes = bytes;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        out.write(from, offset, length);
        bytes.add(length);
    }
}
