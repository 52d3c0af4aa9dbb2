package dev.semel.server.oplog;

import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillSpace;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a run of operations that the heap does not hold, in temporary files, in their order. A record is the length
 * of the image (4, -1 for none), the image, the row.
 */
final class SpilledRows implements AutoCloseable {
    private static final int NO_IMAGE = -1;

    private final List<Part> parts = new ArrayList<>();
    private int size;

    /** The first records of a run. */
    private record Part(SpilledRun run, int size) {}

    int size() {
        return size;
    }

    /** Rows in the heap. */
    interface Source {
        int size();

        /** Null where nothing is kept. */
        byte @Nullable [] image(int row);

        int length(int row);

        void copy(int row, ByteBuffer into);
    }

    /** Adds all of these. */
    void add(Source rows, SpillSpace files) {
        try (SpillWriter writer = files.write()) {
            byte[] buffer = {};
            for (int i = 0; i < rows.size(); i++) {
                byte[] image = rows.image(i);
                int imageBytes = image == null ? 0 : image.length;
                int length = Integer.BYTES + imageBytes + rows.length(i);
                if (buffer.length < length) {
                    buffer = new byte[2 * length];
                }
                ByteBuffer record = ByteBuffer.wrap(buffer).putInt(image == null ? NO_IMAGE : imageBytes);
                if (image != null) {
                    record.put(image);
                }
                rows.copy(i, record);
                writer.add(buffer, 0, length);
            }
            parts.add(new Part(writer.finish(), rows.size()));
            size += rows.size();
        }
    }

    /** Removes those after the first ones. */
    void truncate(int kept) {
        while (size > kept) {
            Part last = parts.removeLast();
            size -= last.size;
            if (size >= kept) {
                last.run.close();
            } else {
                parts.add(new Part(last.run, kept - size));
                size = kept;
            }
        }
    }

    Walk walk() {
        return new Walk();
    }

    /** From the first to the last. For one thread. */
    final class Walk implements AutoCloseable {
        private int part = -1;
        private int left;
        private @Nullable SpillReader reader;

        boolean next() {
            while (left == 0) {
                close();
                part++;
                if (part >= parts.size()) {
                    return false;
                }
                left = parts.get(part).size;
                reader = parts.get(part).run.read();
            }
            left--;
            return reader().next();
        }

        private SpillReader reader() {
            SpillReader now = reader;
            if (now == null) {
                throw new IllegalStateException("not on a change");
            }
            return now;
        }

        private int imageBytes() {
            return ByteBuffer.wrap(reader().array(), reader().offset(), Integer.BYTES)
                    .getInt();
        }

        /** Of the row, which is in the {@link #array} from {@link #start} on. */
        int length() {
            return reader().length() - Integer.BYTES - Math.max(0, imageBytes());
        }

        byte[] array() {
            return reader().array();
        }

        int start() {
            SpillReader now = reader();
            return now.offset() + now.length() - length();
        }

        byte @Nullable [] image() {
            int bytes = imageBytes();
            int start = reader().offset() + Integer.BYTES;
            return bytes == NO_IMAGE ? null : Arrays.copyOfRange(reader().array(), start, start + bytes);
        }

        @Override
        public void close() {
            SpillReader now = reader;
            if (now != null) {
                now.close();
                reader = null;
            }
        }
    }

    @Override
    public void close() {
        parts.forEach(each -> each.run.close());
        parts.clear();
        size = 0;
    }
}
