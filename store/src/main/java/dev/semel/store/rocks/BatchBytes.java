package dev.semel.store.rocks;

import dev.semel.store.Table;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A batch built here and handed over in one call: a call for each row would cost more than the row. */
final class BatchBytes extends RowEncoder {
    private byte[] bytes;
    private int size = HEADER_BYTES;

    /** @param expectedBytes of the records: if that is what they take, the array need not grow, nor be copied at the end */
    BatchBytes(int[] families, Function<Table, byte @Nullable []> lastKey, long expectedBytes) {
        super(families, lastKey);
        this.bytes = new byte[Math.toIntExact(HEADER_BYTES + expectedBytes)];
    }

    byte[] finish() {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(COUNT_OFFSET, count());
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    @Override
    void begin(int recordBytes) {
        int needed = size + recordBytes;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, bytes.length + (bytes.length >> 1)));
        }
    }

    @Override
    void add(byte one) {
        bytes[size++] = one;
    }

    @Override
    void add(byte[] content) {
        System.arraycopy(content, 0, bytes, size, content.length);
        size += content.length;
    }
}
