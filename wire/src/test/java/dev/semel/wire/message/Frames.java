package dev.semel.wire.message;

import dev.semel.wire.bson.RawDocument;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Frames made byte by byte, as a client that lies would make them. */
final class Frames {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Frames int8(int value) {
        out.write(value);
        return this;
    }

    Frames int32(int value) {
        return bytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array());
    }

    Frames cString(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8)).int8(0);
    }

    Frames bytes(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    Frames document(RawDocument document) {
        return bytes(document.toBytes());
    }

    /** A section of kind 1, its size right. */
    Frames sequence(String name, RawDocument... documents) {
        Frames content = new Frames().cString(name);
        for (RawDocument each : documents) {
            content.document(each);
        }
        return int8(1).int32(4 + content.out.size()).bytes(content.out.toByteArray());
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    /** The content with a header before it that says its true length. */
    byte[] frame(int requestId, int opcode) {
        return new Frames()
                .int32(16 + out.size())
                .int32(requestId)
                .int32(0)
                .int32(opcode)
                .bytes(toBytes())
                .toBytes();
    }

    /** The one message in the bytes. */
    static Frame read(byte... bytes) throws IOException {
        return next(new MessageReader(new ByteArrayInputStream(bytes)));
    }

    static Frame next(MessageReader reader) throws IOException {
        Frame frame = reader.read();
        if (frame == null) {
            throw new AssertionError("the stream has ended");
        }
        return frame;
    }
}
