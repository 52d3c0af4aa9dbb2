package dev.semel.cli.transfer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what was read, for the progress bar. */
public final class CountingInput extends FilterInputStream {
    private long count;

    public CountingInput(InputStream in) {
        super(in);
    }

    public long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int read = super.read();
        count += read < 0 ? 0 : 1;
        return read;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = super.read(into, offset, length);
        count += Math.max(read, 0);
        return read;
    }
}
