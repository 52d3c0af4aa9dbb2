package dev.semel.query.pipeline;

import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillSpace;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Runs in memory, and how many of them were begun and not closed. */
final class HeapSpillSpace implements SpillSpace {
    int begun;
    int open;

    @Override
    public SpillWriter write() {
        begun++;
        open++;
        return new Writer();
    }

    private final class Writer implements SpillWriter {
        private final List<byte[]> records = new ArrayList<>();
        private boolean finished;

        @Override
        public void add(List<ByteBuffer> parts) {
            ByteBuffer record = ByteBuffer.allocate(
                    parts.stream().mapToInt(ByteBuffer::remaining).sum());
            parts.forEach(record::put);
            records.add(record.array());
        }

        @Override
        public SpilledRun finish() {
            finished = true;
            return new Run(records);
        }

        @Override
        public void close() {
            if (!finished) {
                finished = true;
                open--;
            }
        }
    }

    private final class Run implements SpilledRun {
        private final List<byte[]> records;
        private boolean closed;

        Run(List<byte[]> records) {
            this.records = records;
        }

        @Override
        public long records() {
            return records.size();
        }

        @Override
        public long diskBytes() {
            return records.stream().mapToLong(each -> each.length).sum();
        }

        @Override
        public SpillReader read() {
            return new Reader(records);
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open--;
            }
        }
    }

    private static final class Reader implements SpillReader {
        private final List<byte[]> records;
        private int next;

        Reader(List<byte[]> records) {
            this.records = records;
        }

        @Override
        public boolean next() {
            return next++ < records.size();
        }

        @Override
        public byte[] array() {
            return records.get(next - 1);
        }

        @Override
        public byte[] copy() {
            return array().clone();
        }

        @Override
        public int offset() {
            return 0;
        }

        @Override
        public int length() {
            return array().length;
        }

        @Override
        public void close() {}
    }
}
