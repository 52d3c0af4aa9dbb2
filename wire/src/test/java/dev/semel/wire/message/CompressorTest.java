package dev.semel.wire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import dev.semel.golden.Seeds;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CompressorTest {
    private static final RawDocument BODY = Json.parse("{\"insert\": \"c\", \"s\": \"" + "ab".repeat(500) + "\"}");
    private static final Message MESSAGE = Message.OpMsg.of(5, 6, BODY);

    @ParameterizedTest
    @EnumSource
    void decompressionRestoresWhatWasCompressed(Compressor compressor) {
        Seeds.check(50, random -> {
            byte[] bytes = new byte[random.nextInt(200_000)];
            if (random.nextBoolean()) {
                random.nextBytes(bytes);
            }
            int offset = random.nextInt(bytes.length + 1);
            int length = bytes.length - offset;
            byte[] compressed = compressor.compress(bytes, offset, length);
            assertThat(compressor.decompress(compressed, 0, compressed.length, length))
                    .isEqualTo(Arrays.copyOfRange(bytes, offset, bytes.length));
        });
    }

    @ParameterizedTest
    @EnumSource
    void messageIsCompressed(Compressor compressor) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new MessageWriter(out).write(MESSAGE, compressor);
        assertThat(Frames.read(out.toByteArray())).isEqualTo(new Frame(MESSAGE, compressor));
    }

    @ParameterizedTest
    @EnumSource
    void sizeThatLiesEndsTheConnection(Compressor compressor) throws IOException {
        byte[] plain = content();
        byte[] compressed = compressor.compress(plain, 0, plain.length);
        for (int size : new int[] {
            Integer.MIN_VALUE, -1, 0, plain.length - 1, plain.length + 1, 47_999_984, 47_999_985, Integer.MAX_VALUE
        }) {
            byte[] bytes = compressed(2013, size, compressor.id(), compressed);
            assertThatThrownBy(() -> Frames.read(bytes)).as("size %s", size).isInstanceOf(MalformedMessage.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void damagedDataNeverDoesMoreThanEndTheConnection(Compressor compressor) {
        Seeds.check(100, random -> {
            byte[] plain = content();
            byte[] compressed = compressor.compress(plain, 0, plain.length);
            compressed[random.nextInt(compressed.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] bytes = compressed(2013, plain.length, compressor.id(), compressed);
            try {
                assertThat(Frames.read(bytes)).isNotNull();
            } catch (MalformedMessage | RefusedMessage e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void dataCutShortEndsTheConnection(Compressor compressor) throws IOException {
        byte[] plain = content();
        byte[] compressed = compressor.compress(plain, 0, plain.length);
        for (int length = 0; length < compressed.length; length++) {
            byte[] bytes = compressed(2013, plain.length, compressor.id(), Arrays.copyOf(compressed, length));
            assertThatThrownBy(() -> Frames.read(bytes)).isInstanceOf(MalformedMessage.class);
        }
    }

    /** Go's driver makes such frames; the format also allows data in several of them. */
    @Test
    void zstdDataNeedNotStateItsSize() throws IOException {
        byte[] plain = content();
        for (int first : new int[] {0, 1, plain.length / 2, plain.length}) {
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            frames.write(unsized(Arrays.copyOf(plain, first)));
            if (first < plain.length) {
                frames.write(unsized(Arrays.copyOfRange(plain, first, plain.length)));
            }
            byte[] bytes = compressed(2013, plain.length, Compressor.ZSTD.id(), frames.toByteArray());
            assertThat(Frames.read(bytes).message())
                    .as("%s bytes in the first frame", first)
                    .isEqualTo(Message.OpMsg.of(1, 0, BODY));
            for (int size : new int[] {plain.length - 1, plain.length + 1, 1_000_000}) {
                byte[] lying = compressed(2013, size, Compressor.ZSTD.id(), frames.toByteArray());
                assertThatThrownBy(() -> Frames.read(lying)).isInstanceOf(MalformedMessage.class);
            }
        }
    }

    private static byte[] unsized(byte[] plain) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            return context.setContentSize(false).compress(plain);
        }
    }

    @Test
    void compressedMessageInsideACompressedMessageEndsTheConnection() {
        byte[] plain = content();
        assertThatThrownBy(() -> Frames.read(compressed(2012, plain.length, 0, plain)))
                .isInstanceOf(MalformedMessage.class)
                .hasMessage("a compressed message inside a compressed message");
    }

    @Test
    void unknownCompressorEndsTheConnection() {
        byte[] plain = content();
        assertThatThrownBy(() -> Frames.read(compressed(2013, plain.length, 4, plain)))
                .isInstanceOf(MalformedMessage.class)
                .hasMessage("there is no compressor 4");
    }

    @Test
    void truncatedHeaderOfACompressedMessageEndsTheConnection() {
        for (int length = 0; length < 9; length++) {
            byte[] bytes = new Frames().bytes(new byte[length]).frame(1, 2012);
            assertThatThrownBy(() -> Frames.read(bytes)).isInstanceOf(MalformedMessage.class);
        }
    }

    @Test
    void namesWeKnowAreTakenInTheClientsOrder() {
        assertThat(Compressor.common(List.of("zstd", "lz4", "zlib", "noop", "zstd")))
                .containsExactly(Compressor.ZSTD, Compressor.ZLIB);
    }

    @Test
    void handshakeAndSecretsAreNeverCompressed() {
        assertThat(List.of("hello", "isMaster", "ismaster", "saslStart", "saslContinue", "createUser", "updateUser"))
                .noneMatch(Compressor::mayCompress);
        assertThat(Compressor.mayCompress("find")).isTrue();
    }

    private static byte[] content() {
        byte[] frame = MessageWriter.encode(MESSAGE);
        return Arrays.copyOfRange(frame, 16, frame.length);
    }

    private static byte[] compressed(int opcode, int size, int compressor, byte[] compressed) {
        return new Frames()
                .int32(opcode)
                .int32(size)
                .int8(compressor)
                .bytes(compressed)
                .frame(1, 2012);
    }
}
