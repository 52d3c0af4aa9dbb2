package dev.semel.query.expression;

import dev.semel.wire.bson.Text;
import java.util.Arrays;

/** A string that is put together from parts of others, within {@link Sizes#BYTES_MAX}. */
final class ByteSink {
    private byte[] bytes;
    private final Scratch scratch;
    private int length;

    ByteSink(int expected, Scratch scratch) {
        this.scratch = scratch;
        scratch.building(expected);
        bytes = new byte[Math.max(16, expected)];
    }

    ByteSink append(Text text, int from, int to) {
        long needed = (long) length + to - from;
        Sizes.check(needed);
        if (needed > bytes.length) {
            scratch.building(bytes.length + Math.max(needed, bytes.length * 2L));
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, bytes.length * 2L));
        }
        for (int i = from; i < to; i++) {
            bytes[length++] = text.byteAt(i);
        }
        return this;
    }

    Text text() {
        return new Text(bytes, 0, length);
    }
}
