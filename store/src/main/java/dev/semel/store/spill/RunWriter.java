package dev.semel.store.spill;

import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.nio.ByteBuffer;
import java.util.List;

/** Cuts records into blocks. */
final class RunWriter implements SpillWriter {
    static final int BLOCK_BYTES = 32 << 10;

    private final SpillFile file;
    private final byte[] block = new byte[BLOCK_BYTES];
    private int used;
    private long records;
    private boolean finished;

    RunWriter(SpillFile file) {
        this.file = file;
    }

    @Override
    public void add(List<ByteBuffer> parts) {
        int length = parts.stream().mapToInt(ByteBuffer::remaining).sum();
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            if (used == BLOCK_BYTES) {
                flush();
            }
            block[used++] = (byte) (length >>> shift);
        }
        parts.forEach(this::append);
        records++;
    }

    private void append(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (used == BLOCK_BYTES) {
                flush();
            }
            int part = Math.min(bytes.remaining(), BLOCK_BYTES - used);
            bytes.get(block, used, part);
            used += part;
        }
    }

    private void flush() {
        file.append(block, used);
        used = 0;
    }

    @Override
    public SpilledRun finish() {
        if (used > 0) {
            flush();
        }
        finished = true;
        return new RunFile(file, records);
    }

    @Override
    public void close() {
        if (!finished) {
            file.close();
        }
    }
}
