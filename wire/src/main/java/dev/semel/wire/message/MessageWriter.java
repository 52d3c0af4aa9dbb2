package dev.semel.wire.message;

import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;

/**
 * Puts messages on a stream, each in a single write: a second one would wait for the peer's delayed acknowledgement. Only
 * what is large goes in two, without being copied: there the first part fills more than one packet.
 */
public final class MessageWriter {
    private static final int LARGE_BYTES = 64 << 10;
    private static final int FIRST_BYTES = 16 << 10;

    private final OutputStream out;

    public MessageWriter(OutputStream out) {
        this.out = out;
    }

    /** Writes and flushes. */
    public void write(Message message, Compressor compressor) throws IOException {
        if (compressor == Compressor.NONE && message instanceof Message.OpMsg plain && isLarge(plain)) {
            writeLarge(plain);
            return;
        }
        byte[] plain = encode(message);
        out.write(compressor == Compressor.NONE ? plain : compressed(plain, compressor));
        out.flush();
    }

    private static boolean isLarge(Message.OpMsg message) {
        return message.body().length() >= LARGE_BYTES
                && message.sequences().isEmpty()
                && (message.flags() & Message.OpMsg.CHECKSUM_PRESENT) == 0;
    }

    private void writeLarge(Message.OpMsg message) throws IOException {
        RawDocument body = message.body();
        ByteBuffer first = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        first.putInt(Frame.HEADER_BYTES + 4 + 1 + body.length())
                .putInt(message.requestId())
                .putInt(message.responseTo())
                .putInt(Message.OpMsg.OPCODE)
                .putInt(message.flags())
                .put((byte) 0);
        int begun = first.remaining();
        first.put(body.array(), body.offset(), begun);
        out.write(first.array());
        out.write(body.array(), body.offset() + begun, body.length() - begun);
        out.flush();
    }

    /** The frame of a message, not compressed. */
    public static byte[] encode(Message message) {
        return switch (message) {
            case Message.OpMsg msg -> encode(msg);
            case Message.OpQuery query -> encode(query);
            case Message.OpReply reply -> encode(reply);
        };
    }

    private static byte[] encode(Message.OpMsg message) {
        boolean checksum = (message.flags() & Message.OpMsg.CHECKSUM_PRESENT) != 0;
        int length = Frame.HEADER_BYTES + 4 + 1 + message.body().length();
        for (Message.Sequence sequence : message.sequences()) {
            length += 1 + sequenceLength(sequence);
        }
        byte[] bytes = new byte[length + (checksum ? Checksum.BYTES : 0)];
        ByteBuffer frame = frame(bytes, message, Message.OpMsg.OPCODE);
        frame.putInt(message.flags());
        frame.put((byte) 0);
        put(frame, message.body());
        for (Message.Sequence sequence : message.sequences()) {
            frame.put((byte) 1);
            frame.putInt(sequenceLength(sequence));
            putCString(frame, sequence.name());
            sequence.documents().forEach(each -> put(frame, each));
        }
        if (checksum) {
            frame.putInt(Checksum.of(bytes, 0, frame.position()));
        }
        return bytes;
    }

    private static int sequenceLength(Message.Sequence sequence) {
        int length = 4 + sequence.name().getBytes(StandardCharsets.UTF_8).length + 1;
        for (RawDocument each : sequence.documents()) {
            length += each.length();
        }
        return length;
    }

    private static byte[] encode(Message.OpQuery query) {
        int name = query.collection().getBytes(StandardCharsets.UTF_8).length + 1;
        byte[] bytes =
                new byte[Frame.HEADER_BYTES + 4 + name + 8 + query.query().length()];
        ByteBuffer frame = frame(bytes, query, Message.OpQuery.OPCODE);
        frame.putInt(query.flags());
        putCString(frame, query.collection());
        frame.putInt(0).putInt(-1);
        put(frame, query.query());
        return bytes;
    }

    private static byte[] encode(Message.OpReply reply) {
        byte[] bytes = new byte[Frame.HEADER_BYTES + 20 + reply.document().length()];
        ByteBuffer frame = frame(bytes, reply, Message.OpReply.OPCODE);
        frame.putInt(reply.flags());
        frame.putLong(0).putInt(0).putInt(1);
        put(frame, reply.document());
        return bytes;
    }

    /** The frame of a message, compressed. */
    public static byte[] compressed(byte[] plain, Compressor compressor) throws IOException {
        return compressed(plain, compressor, Deflater.DEFAULT_COMPRESSION);
    }

    /** The same, with this effort if it is zlib. */
    public static byte[] compressed(byte[] plain, Compressor compressor, int zlibLevel) throws IOException {
        byte[] compressed =
                compressor.compress(plain, Frame.HEADER_BYTES, plain.length - Frame.HEADER_BYTES, zlibLevel);
        ByteBuffer original = ByteBuffer.wrap(plain).order(ByteOrder.LITTLE_ENDIAN);
        byte[] bytes = new byte[Frame.HEADER_BYTES + 9 + compressed.length];
        ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(bytes.length)
                .putInt(original.getInt(4))
                .putInt(original.getInt(8))
                .putInt(Frame.COMPRESSED_OPCODE);
        frame.putInt(original.getInt(12))
                .putInt(plain.length - Frame.HEADER_BYTES)
                .put((byte) compressor.id());
        frame.put(compressed);
        return bytes;
    }

    private static ByteBuffer frame(byte[] bytes, Message message, int opcode) {
        ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return frame.putInt(bytes.length)
                .putInt(message.requestId())
                .putInt(message.responseTo())
                .putInt(opcode);
    }

    private static void put(ByteBuffer frame, RawDocument document) {
        frame.put(document.array(), document.offset(), document.length());
    }

    private static void putCString(ByteBuffer frame, String string) {
        frame.put(string.getBytes(StandardCharsets.UTF_8)).put((byte) 0);
    }
}
