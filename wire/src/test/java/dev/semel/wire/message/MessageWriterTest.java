package dev.semel.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.wire.bson.Documents;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MessageWriterTest {
    @Test
    void bytesAreThoseOfTheProtocol() {
        Message message = new Message.OpMsg(
                1,
                2,
                Message.OpMsg.MORE_TO_COME,
                RawDocument.EMPTY,
                List.of(new Message.Sequence("ops", List.of(RawDocument.EMPTY, RawDocument.EMPTY))));
        assertThat(HexFormat.of().formatHex(MessageWriter.encode(message)))
                .isEqualTo("2d000000" + "01000000" + "02000000" + "dd070000" // header
                        + "02000000" // flags
                        + "00" + "0500000000" // body
                        + "01" + "12000000" + "6f707300" + "0500000000" + "0500000000");
    }

    @Test
    void everyMessageIsReadAsWhatWasWritten() {
        Seeds.check(200, random -> {
            Message message = message(random);
            Compressor compressor = Compressor.values()[random.nextInt(Compressor.values().length)];
            // The checksum belongs to a message that travels as it is.
            assertThat(written(message, compressor)).isEqualTo(new Frame(message, compressor));
        });
    }

    @Test
    void messageLeavesInOneWrite() throws IOException {
        Counting out = new Counting();
        new MessageWriter(out).write(Message.OpMsg.of(1, 0, Json.parse("{\"ok\": 1}")), Compressor.ZLIB);
        assertThat(out.writes).hasSize(1);
        assertThat(out.flushes).isEqualTo(1);
    }

    private static Message message(Random random) {
        Documents documents = Documents.of(random);
        return switch (random.nextInt(4)) {
            case 0 -> new Message.OpQuery(random.nextInt(), random.nextInt(), 4, "é.$cmd", documents.document());
            case 1 -> new Message.OpReply(random.nextInt(), random.nextInt(), 8, documents.document());
            default -> {
                List<Message.Sequence> sequences = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    List<RawDocument> content = new ArrayList<>();
                    for (int count = random.nextInt(5); count > 0; count--) {
                        content.add(documents.document());
                    }
                    sequences.add(new Message.Sequence("séquence" + i, content));
                }
                yield new Message.OpMsg(
                        random.nextInt(), random.nextInt(), random.nextInt(4), documents.document(), sequences);
            }
        };
    }

    private static Frame written(Message message, Compressor compressor) throws IOException {
        Counting out = new Counting();
        new MessageWriter(out).write(message, compressor);
        return Frames.read(out.writes.getFirst());
    }

    private static final class Counting extends OutputStream {
        private final List<byte[]> writes = new ArrayList<>();
        private int flushes;

        @Override
        public void write(int b) {
            throw new AssertionError("byte by byte is too slow");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            writes.add(Arrays.copyOfRange(bytes, offset, offset + length));
        }

        @Override
        public void flush() {
            flushes++;
        }
    }
}
