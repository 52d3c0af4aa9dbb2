package dev.semel.blackpipe.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.blackpipe.message.RawFrame;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramePumpTest {
    private static final int LOOKED_AT = 40;

    /** Of this length, with a number where requests have theirs. */
    private static byte[] frame(int length, int number, Random random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(length).putInt(number);
        return bytes;
    }

    /** In pieces, as a network delivers. */
    private static InputStream inPieces(byte[] bytes, Random random) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                int most = random.nextInt(4) == 0 ? 3 : 30_000;
                return super.read(into, offset, Math.min(length, 1 + random.nextInt(most)));
            }
        };
    }

    private static FramePump pump(InputStream in, ByteArrayOutputStream out, int oneOf) {
        return new FramePump(in, out, new ReentrantLock(), LOOKED_AT, (bytes, from, to) -> {
            int length = ByteBuffer.wrap(bytes, from, 4)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getInt();
            assertThat(to - from).isBetween(Math.min(LOOKED_AT, length), length);
            return bytes[from + 4] % oneOf == 0;
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyByteLeavesInOrderAndWhatIsWantedIsHandedOut(long seed) throws IOException {
        var random = new Random(seed);
        var all = new ByteArrayOutputStream();
        List<Integer> wanted = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            int length = 16 + random.nextInt(random.nextInt(8) == 0 ? 200_000 : 100);
            all.write(frame(length, number, random));
            if (number % 3 == 0) {
                wanted.add(number);
            }
        }
        var out = new ByteArrayOutputStream();
        var pump = pump(inPieces(all.toByteArray(), random), out, 3);
        List<Integer> handedOut = new ArrayList<>();
        for (RawFrame each = pump.next(); each != null; each = pump.next()) {
            handedOut.add(each.requestId());
            out.write(each.bytes());
        }
        assertThat(handedOut).isEqualTo(wanted);
        assertThat(out.toByteArray()).isEqualTo(all.toByteArray());
    }

    @Test
    void streamThatEndsInsideAFrameIsAnError() {
        var random = new Random(1);
        byte[] whole = frame(100, 1, random);
        for (int length = 1; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            for (int oneOf = 1; oneOf <= 2; oneOf++) {
                var pump = pump(inPieces(part, random), new ByteArrayOutputStream(), oneOf);
                assertThatThrownBy(pump::next).isInstanceOf(EOFException.class);
            }
        }
    }

    @Test
    void lengthThatNoMessageHasIsAnError() {
        byte[] bad = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(15)
                .array();
        assertThatThrownBy(() -> pump(new ByteArrayInputStream(bad), new ByteArrayOutputStream(), 1)
                        .next())
                .isInstanceOf(IOException.class)
                .hasMessage("a message of 15 bytes");
    }
}
