package dev.semel.wire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageReaderTest {
    private static final RawDocument PING = Json.parse("{\"ping\": 1, \"$db\": \"admin\"}");
    private static final RawDocument ONE = Json.parse("{\"_id\": 1}");
    private static final RawDocument TWO = Json.parse("{\"_id\": 2}");

    @Test
    void messageOfABodyIsRead() throws IOException {
        Frame frame = Frames.read(new Frames().int32(0).int8(0).document(PING).frame(7, 2013));
        assertThat(frame).isEqualTo(new Frame(Message.OpMsg.of(7, 0, PING), Compressor.NONE));
    }

    @Test
    void sequencesStandBeforeAndAfterTheBody() throws IOException {
        byte[] bytes = new Frames()
                .int32(Message.OpMsg.MORE_TO_COME | Message.OpMsg.EXHAUST_ALLOWED)
                .sequence("documents", ONE, TWO)
                .int8(0)
                .document(PING)
                .sequence("ops")
                .frame(7, 2013);
        Message.OpMsg message = opMsg(bytes);
        assertThat(message.body()).isEqualTo(PING);
        assertThat(message.sequence("documents")).containsExactly(ONE, TWO);
        assertThat(message.sequence("ops")).isEmpty();
        assertThat(message.sequence("deletes")).isNull();
        assertThat(message.moreToCome()).isTrue();
        assertThat(message.exhaustAllowed()).isTrue();
    }

    @Test
    void partOfAMessageIsRecognised() {
        byte[] one = MessageWriter.encode(Message.OpMsg.of(1, 0, PING));
        for (int length = 0; length < one.length; length++) {
            byte[] part = Arrays.copyOf(one, length);
            assertThat(MessageReader.isPartOfMessage(part, one.length))
                    .as("%d bytes", length)
                    .isTrue();
            assertThat(MessageReader.isWholeMessage(part)).isFalse();
            // As soon as it shows that all of it would be too long, it is not to be waited for.
            assertThat(MessageReader.isPartOfMessage(part, one.length - 1)).isEqualTo(length < 4);
        }
        assertThat(MessageReader.isPartOfMessage(one, one.length)).isFalse();
        assertThat(MessageReader.isWholeMessage(one)).isTrue();
        assertThat(MessageReader.isPartOfMessage(Arrays.copyOf(one, one.length + 1), one.length + 1))
                .isFalse();
    }

    @Test
    void partOfAMessageOfAnotherKindIsNone() throws IOException {
        byte[] query =
                Arrays.copyOf(new Frames().int32(0).int8(0).document(PING).frame(7, 2004), 20);
        assertThat(MessageReader.isPartOfMessage(query, 1000)).isFalse();
    }

    @Test
    void endBetweenTwoMessagesIsTheEnd() throws IOException {
        byte[] one = MessageWriter.encode(Message.OpMsg.of(1, 0, PING));
        MessageReader reader = new MessageReader(new ByteArrayInputStream(one));
        assertThat(reader.read()).isNotNull();
        assertThat(reader.read()).isNull();
    }

    @Test
    void endAnywhereInsideAMessageIsNoEnd() {
        byte[] whole = MessageWriter.encode(Message.OpMsg.of(1, 0, PING));
        for (int length = 1; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Frames.read(cut)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void messagesFollowEachOtherHoweverTheStreamIsCut() throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < 40; i++) {
            RawDocument body = new BsonWriter().put("s", "x".repeat(i * i)).finish();
            stream.writeBytes(MessageWriter.encode(Message.OpMsg.of(i, 0, body)));
        }
        for (int atOnce : new int[] {1, 7, 1000, 100_000}) {
            MessageReader reader = new MessageReader(new Trickle(stream.toByteArray(), atOnce));
            for (int i = 0; i < 40; i++) {
                assertThat(Frames.next(reader).message().requestId()).isEqualTo(i);
            }
            assertThat(reader.read()).isNull();
        }
    }

    @Test
    void whatIsLargeAsksForMemoryAndGivesItBack() throws IOException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (Compressor compressor : List.of(Compressor.NONE, Compressor.SNAPPY)) {
            for (int length : new int[] {10, 300_000, 9_000_000, 10}) {
                RawDocument body = new BsonWriter().put("s", "x".repeat(length)).finish();
                new MessageWriter(stream).write(Message.OpMsg.of(length, 0, body), compressor);
            }
        }
        Ledger ledger = new Ledger();
        MessageReader reader = new MessageReader(new Trickle(stream.toByteArray(), 100_000), ledger);
        for (Compressor compressor : List.of(Compressor.NONE, Compressor.SNAPPY)) {
            for (int length : new int[] {10, 300_000, 9_000_000, 10}) {
                Frame next = Frames.next(reader);
                assertThat(((Message.OpMsg) next.message()).body().get("s")).isEqualTo(Value.of("x".repeat(length)));
                assertThat(next.compressor()).isEqualTo(compressor);
                // A frame is in its own array, as long as it is.
                assertThat(ledger.held).isBetween(length < 100 ? 0L : length, length < 100 ? 0L : length + 100L);
            }
        }
        assertThat(ledger.most).isLessThan(9_000_100 + (4 << 20) + 1);
        assertThat(reader.read()).isNull();
        assertThat(ledger.held).isZero();
    }

    @Test
    void aMessageForWhichThereIsNoMemoryEndsTheConnection() {
        byte[] whole = MessageWriter.encode(Message.OpMsg.of(
                1, 0, new BsonWriter().put("s", "x".repeat(100_000)).finish()));
        MessageReader reader = new MessageReader(new ByteArrayInputStream(whole), new MessageReader.Memory() {
            @Override
            public void reserve(long bytes) throws IOException {
                throw new IOException("no memory");
            }

            @Override
            public void release(long bytes) {}
        });
        assertThatThrownBy(reader::read).isInstanceOf(IOException.class).hasMessage("no memory");
    }

    private static final class Ledger implements MessageReader.Memory {
        private long held;
        private long most;

        @Override
        public void reserve(long bytes) {
            held += bytes;
            most = Math.max(most, held);
        }

        @Override
        public void release(long bytes) {
            held -= bytes;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 15, 48_000_001, Integer.MAX_VALUE})
    void lengthOutOfBoundsEndsTheConnection(int length) {
        byte[] bytes = new Frames().int32(length).int32(1).int32(0).int32(2013).toBytes();
        assertThatThrownBy(() -> Frames.read(bytes))
                .isInstanceOf(MalformedMessage.class)
                .hasMessage("a message of " + length + " bytes; 16 to 48000000 are allowed");
    }

    @Test
    void lengthThatLiesCostsNoMemoryOfThatLength() {
        byte[] bytes =
                new Frames().int32(48_000_000).int32(1).int32(0).int32(2013).toBytes();
        Trickle stream = new Trickle(bytes, 16);
        assertThatThrownBy(() -> new MessageReader(stream).read()).isInstanceOf(EOFException.class);
        assertThat(stream.largestRequest).isLessThanOrEqualTo(64 * 1024);
    }

    @Test
    void largestMessageIsRead() throws IOException {
        byte[] document = new byte[48_000_000 - 16 - 5];
        RawDocument body = new BsonWriter()
                .put("b", new Value.Binary((byte) 0, new byte[document.length - 13]))
                .finish();
        byte[] bytes = MessageWriter.encode(Message.OpMsg.of(1, 0, body));
        assertThat(bytes).hasSize(48_000_000);
        assertThat(opMsg(bytes).body().length()).isEqualTo(document.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2001, 2002, 2006, 2007, 2010, 2011, 9999, -1})
    void opcodeWeDoNotSpeakEndsTheConnection(int opcode) {
        assertThatThrownBy(() -> Frames.read(new Frames().int32(0).frame(1, opcode)))
                .isInstanceOf(MalformedMessage.class)
                .hasMessage("opcode " + opcode + " is not supported");
    }

    @Test
    void messageWithoutFlagsEndsTheConnection() {
        assertThatThrownBy(() -> Frames.read(new Frames().int8(0).frame(1, 2013)))
                .isInstanceOf(MalformedMessage.class);
    }

    @Test
    void unknownRequiredFlagIsRefusedAndClosesAndOptionalFlagsPass() throws IOException {
        for (int bit = 2; bit < 16; bit++) {
            byte[] bytes = new Frames().int32(1 << bit).int8(0).document(PING).frame(7, 2013);
            assertThatThrownBy(() -> Frames.read(bytes)).isInstanceOfSatisfying(RefusedMessage.class, e -> {
                assertThat(e.requestId()).isEqualTo(7);
                assertThat(e.reason().code()).isEqualTo(ErrorCode.IllegalOpMsgFlag);
                assertThat(e.closes()).isTrue();
            });
        }
        byte[] optional = new Frames().int32(0xFFFE_0000).int8(0).document(PING).frame(7, 2013);
        assertThat(opMsg(optional).body()).isEqualTo(PING);
    }

    @Test
    void checksumIsVerified() throws IOException {
        Message.OpMsg message = new Message.OpMsg(1, 0, Message.OpMsg.CHECKSUM_PRESENT, PING, List.of());
        byte[] bytes = MessageWriter.encode(message);
        assertThat(opMsg(bytes)).isEqualTo(message);
        for (int i = 20; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 2;
            assertRefused(ErrorCode.ChecksumMismatch, changed);
        }
        assertRefused(
                ErrorCode.ChecksumMismatch,
                new Frames().int32(Message.OpMsg.CHECKSUM_PRESENT).int8(0).frame(1, 2013));
    }

    @Test
    void bodyIsThereExactlyOnce() {
        assertRefused(ErrorCode.location(40587), new Frames().int32(0).frame(1, 2013));
        assertRefused(
                ErrorCode.location(40587),
                new Frames().int32(0).sequence("documents", ONE).frame(1, 2013));
        assertRefused(
                ErrorCode.location(40430),
                new Frames()
                        .int32(0)
                        .int8(0)
                        .document(PING)
                        .int8(0)
                        .document(PING)
                        .frame(1, 2013));
    }

    @Test
    void unknownSectionIsRefused() {
        assertRefused(
                ErrorCode.location(40432),
                new Frames()
                        .int32(0)
                        .int8(0)
                        .document(PING)
                        .int8(2)
                        .document(PING)
                        .frame(1, 2013));
        assertRefused(ErrorCode.location(40432), new Frames().int32(0).int8(255).frame(1, 2013));
    }

    @Test
    void sequenceNamesAreUniqueAndNoFieldsOfTheBody() {
        assertRefused(
                ErrorCode.location(40431),
                new Frames()
                        .int32(0)
                        .sequence("a")
                        .sequence("a")
                        .int8(0)
                        .document(PING)
                        .frame(1, 2013));
        assertRefused(
                ErrorCode.location(40433),
                new Frames().int32(0).sequence("ping").int8(0).document(PING).frame(1, 2013));
    }

    @Test
    void sequencesWithoutEndAreRefused() {
        Frames frames = new Frames().int32(0).int8(0).document(PING);
        for (int i = 0; i < 17; i++) {
            frames.sequence("s" + i);
        }
        byte[] bytes = frames.frame(1, 2013);
        assertThatThrownBy(() -> Frames.read(bytes)).isInstanceOfSatisfying(RefusedMessage.class, e -> {
            assertThat(e.reason().code()).isEqualTo(ErrorCode.TooManyDocumentSequences);
            assertThat(e.closes()).isTrue();
        });
    }

    @Test
    void sequenceThatLiesIsRefused() {
        Frames start = new Frames().int32(0).int8(0).document(PING).int8(1);
        byte[] before = start.toBytes();
        for (int length : new int[] {Integer.MIN_VALUE, -1, 0, 4, 100, Integer.MAX_VALUE}) {
            byte[] bytes = new Frames()
                    .bytes(before)
                    .int32(length)
                    .cString("documents")
                    .document(ONE)
                    .frame(1, 2013);
            assertRefused(ErrorCode.InvalidBSON, bytes);
        }
        // A name that runs past its sequence, a document that does, a size cut off.
        assertRefused(
                ErrorCode.InvalidBSON,
                new Frames().bytes(before).int32(8).cString("documents").frame(1, 2013));
        assertRefused(
                ErrorCode.InvalidBSON,
                new Frames()
                        .bytes(before)
                        .int32(4 + 10 + 5)
                        .cString("documents")
                        .document(ONE)
                        .frame(1, 2013));
        assertRefused(ErrorCode.InvalidBSON, new Frames().bytes(before).int8(5).frame(1, 2013));
    }

    @Test
    void bodyThatIsNoDocumentIsRefused() {
        assertRefused(
                ErrorCode.InvalidBSON, new Frames().int32(0).int8(0).int32(5).frame(1, 2013));
        assertRefused(
                ErrorCode.InvalidBSON,
                new Frames().int32(0).int8(0).int32(100).int8(0).frame(1, 2013));
    }

    @Test
    void senderThatDoesNotWaitIsNotAnswered() {
        byte[] waits = new Frames().int32(0).frame(1, 2013);
        assertThatThrownBy(() -> Frames.read(waits))
                .isInstanceOfSatisfying(
                        RefusedMessage.class, e -> assertThat(e.answered()).isTrue());
        byte[] doesNot = new Frames().int32(Message.OpMsg.MORE_TO_COME).frame(1, 2013);
        assertThatThrownBy(() -> Frames.read(doesNot))
                .isInstanceOfSatisfying(
                        RefusedMessage.class, e -> assertThat(e.answered()).isFalse());
    }

    @Test
    void refusedMessageLeavesTheNextReadable() throws IOException {
        byte[] stream = new Frames()
                .bytes(new Frames().int32(0).frame(1, 2013))
                .bytes(MessageWriter.encode(Message.OpMsg.of(2, 0, PING)))
                .toBytes();
        MessageReader reader = new MessageReader(new ByteArrayInputStream(stream));
        assertThatThrownBy(reader::read).isInstanceOf(RefusedMessage.class);
        assertThat(reader.read()).isEqualTo(new Frame(Message.OpMsg.of(2, 0, PING), Compressor.NONE));
    }

    @Test
    void oldHandshakeIsRead() throws IOException {
        byte[] bytes = new Frames()
                .int32(4)
                .cString("admin.$cmd")
                .int32(0)
                .int32(-1)
                .document(PING)
                .frame(3, 2004);
        assertThat(Frames.read(bytes).message()).isEqualTo(new Message.OpQuery(3, 0, 4, "admin.$cmd", PING));
    }

    @Test
    void oldHandshakeCutAnywhereEndsTheConnection() {
        byte[] content = new Frames()
                .int32(4)
                .cString("admin.$cmd")
                .int32(0)
                .int32(-1)
                .document(PING)
                .toBytes();
        for (int length = 0; length < content.length; length++) {
            byte[] bytes = new Frames().bytes(Arrays.copyOf(content, length)).frame(3, 2004);
            assertThatThrownBy(() -> Frames.read(bytes)).isInstanceOf(MalformedMessage.class);
        }
    }

    @Test
    void oldReplyIsReadAndCutAnywhereEndsTheConnection() throws IOException {
        Message reply = new Message.OpReply(1, 2, Message.OpReply.QUERY_FAILURE, ONE);
        byte[] bytes = MessageWriter.encode(reply);
        assertThat(Frames.read(bytes)).isEqualTo(new Frame(reply, Compressor.NONE));
        byte[] content = Arrays.copyOfRange(bytes, 16, bytes.length);
        for (int length = 0; length < content.length; length++) {
            byte[] cut = new Frames().bytes(Arrays.copyOf(content, length)).frame(1, 1);
            assertThatThrownBy(() -> Frames.read(cut)).isInstanceOf(MalformedMessage.class);
        }
    }

    private static Message.OpMsg opMsg(byte[] bytes) throws IOException {
        Message message = Frames.read(bytes).message();
        assertThat(message).isInstanceOf(Message.OpMsg.class);
        return (Message.OpMsg) message;
    }

    private static void assertRefused(ErrorCode code, byte[] bytes) {
        assertThatThrownBy(() -> Frames.read(bytes)).isInstanceOfSatisfying(RefusedMessage.class, e -> {
            assertThat(e.reason().code()).isEqualTo(code);
            assertThat(e.closes()).isFalse();
        });
    }

    /** Gives a few bytes at a time, and remembers how many were wanted. */
    private static final class Trickle extends InputStream {
        private final byte[] bytes;
        private final int atOnce;
        private int at;
        private int largestRequest;

        Trickle(byte[] bytes, int atOnce) {
            this.bytes = bytes;
            this.atOnce = atOnce;
        }

        @Override
        public int read() {
            throw new AssertionError("byte by byte is too slow");
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            largestRequest = Math.max(largestRequest, length);
            int count = Math.min(Math.min(length, atOnce), bytes.length - at);
            System.arraycopy(bytes, at, target, offset, count);
            at += count;
            return count == 0 ? -1 : count;
        }
    }
}
