package dev.semel.blackpipe.message;

import dev.semel.wire.Limits;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageReader;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A frame exactly as it was sent. It is decoded only on demand, so frames that no rule is about are forwarded unchanged,
 * even if they cannot be decoded.
 */
public final class RawFrame {
    private static final int HEADER_BYTES = 16;

    /** Up to this size the claimed length is trusted, and the frame is allocated at once. */
    private static final int TRUSTED_BYTES = 64 * 1024;

    private final byte[] bytes;

    private RawFrame(byte[] bytes) {
        this.bytes = bytes;
    }

    public static RawFrame of(byte[] bytes) {
        return new RawFrame(bytes);
    }

    /** The next frame, or null at the end of the stream. */
    public static @Nullable RawFrame read(InputStream in) throws IOException {
        byte[] header = in.readNBytes(HEADER_BYTES);
        if (header.length == 0) {
            return null;
        }
        if (header.length < HEADER_BYTES) {
            throw new EOFException("the stream ended inside a message header");
        }
        int length = LittleEndian.int32(header, 0);
        if (length < HEADER_BYTES || length > Limits.MESSAGE_BYTES_MAX) {
            throw new IOException("a message of " + length + " bytes");
        }
        byte[] bytes;
        int read;
        if (length <= TRUSTED_BYTES) {
            bytes = new byte[length];
            read = in.readNBytes(bytes, HEADER_BYTES, length - HEADER_BYTES);
        } else {
            byte[] rest = in.readNBytes(length - HEADER_BYTES);
            bytes = new byte[length];
            System.arraycopy(rest, 0, bytes, HEADER_BYTES, rest.length);
            read = rest.length;
        }
        if (read < length - HEADER_BYTES) {
            throw new EOFException("the stream ended inside a message");
        }
        System.arraycopy(header, 0, bytes, 0, HEADER_BYTES);
        return new RawFrame(bytes);
    }

    /** Shared; must not be modified. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return bytes.length;
    }

    public int requestId() {
        return LittleEndian.int32(bytes, 4);
    }

    public int responseTo() {
        return LittleEndian.int32(bytes, 8);
    }

    /** Throws an exception if it is not a valid message. */
    public Frame decoded() throws IOException {
        Frame frame = new MessageReader(new ByteArrayInputStream(bytes)).read();
        if (frame == null) {
            throw new EOFException("an empty frame");
        }
        return frame;
    }

    /** Whether more replies follow without a request; false for compressed frames: streamed hellos are not compressed. */
    public boolean moreToCome() {
        return opcode() == Message.OpMsg.OPCODE
                && bytes.length >= HEADER_BYTES + 4
                && (LittleEndian.int32(bytes, HEADER_BYTES) & Message.OpMsg.MORE_TO_COME) != 0;
    }

    private int opcode() {
        return LittleEndian.int32(bytes, 12);
    }
}
