package dev.semel.store.spill;

import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;

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
    public void add(byte[] bytes, int offset, int length) {
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            if (used == BLOCK_BYTES) {
                flush();
            }
            block[used++] = (byte) (length >>> shift);
        }
        int written = 0;
        while (written < length) {
            if (used == BLOCK_BYTES) {
                flush();
            }
            int part = Math.min(length - written, BLOCK_BYTES - used);
            System.arraycopy(bytes, offset + written, block, used, part);
            used += part;
            written += part;
        }
        records++;
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
