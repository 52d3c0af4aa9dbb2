package dev.semel.wire.message;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes frames off a stream. Every length in them is a claim until checked, and memory grows with what has arrived, not
 * with what is claimed.
 */
public final class MessageReader {
    /** Holds most requests whole, so that one read of the socket does, and is small enough to keep per idle connection. */
    private static final int BUFFER_BYTES = 1024;

    /** For a connection that has sent a request of up to this size, such as the insertion of a document, and may send more. */
    private static final int LARGER_BUFFER_BYTES = 4096;

    /** A body up to this size is allocated at once, from any client. */
    private static final int TRUSTED_BYTES = 64 * 1024;

    /** A message up to this size is not worth asking for: it belongs to what a connection takes anyway. */
    private static final int FREE_BYTES = 16 * 1024;

    /** With so much of it here the rest of a message is believed. */
    private static final int BELIEVED_BYTES = 4 << 20;

    /** Bits 0 to 15 must be understood, and only the lowest two have a meaning. */
    private static final int UNKNOWN_REQUIRED_FLAGS = 0xFFFC;

    private final InputStream in;
    private final int trustedBytes;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private final Memory memory;

    /** Of the message read last. */
    private long held;

    private int bufferStart;
    private int bufferEnd;

    /** Reserves memory before a message is read, and releases it afterwards. */
    public interface Memory {
        /** May wait. Fails if there is none: then the connection ends. */
        void reserve(long bytes) throws IOException;

        void release(long bytes);
    }

    private static final Memory UNLIMITED = new Memory() {
        @Override
        public void reserve(long bytes) {}

        @Override
        public void release(long bytes) {}
    };

    public MessageReader(InputStream in) {
        this(in, TRUSTED_BYTES, UNLIMITED);
    }

    /** A message keeps its memory until the next one is asked for, or until {@link #release}. */
    public MessageReader(InputStream in, Memory memory) {
        this(in, TRUSTED_BYTES, memory);
    }

    /** A body up to this size is allocated at once: what a server of one's own choice claims can be believed. */
    public MessageReader(InputStream in, int trustedBytes) {
        this(in, trustedBytes, UNLIMITED);
    }

    private MessageReader(InputStream in, int trustedBytes, Memory memory) {
        this.in = in;
        this.trustedBytes = trustedBytes;
        this.memory = memory;
    }

    /** Whether more than the messages that have been read has come. */
    public boolean hasBuffered() {
        return bufferStart < bufferEnd;
    }

    /** The message read last is not used any more. */
    public void release() {
        release(held);
    }

    private void release(long bytes) {
        if (bytes > 0) {
            memory.release(bytes);
            held -= bytes;
        }
    }

    private void reserve(long bytes) throws IOException {
        if (bytes > FREE_BYTES) {
            memory.reserve(bytes);
            held += bytes;
        }
    }

    /** Whether the bytes are the beginning of an OP_MSG of at most so many bytes, but not all of it, as far as its header says. */
    public static boolean isPartOfMessage(byte[] bytes, int bytesMax) {
        if (bytes.length < Integer.BYTES) {
            return true;
        }
        int length = LittleEndian.int32(bytes, 0);
        return bytes.length < length
                && length <= bytesMax
                && (bytes.length < Frame.HEADER_BYTES || LittleEndian.int32(bytes, 12) == Message.OpMsg.OPCODE);
    }

    /** Whether the bytes are one OP_MSG, neither more nor less, as far as its header says. */
    public static boolean isWholeMessage(byte[] bytes) {
        return bytes.length >= Frame.HEADER_BYTES
                && LittleEndian.int32(bytes, 0) == bytes.length
                && LittleEndian.int32(bytes, 12) == Message.OpMsg.OPCODE;
    }

    /** The next message, or null where the stream ends between two messages. */
    public @Nullable Frame read() throws IOException {
        release();
        if (!fillHeader()) {
            return null;
        }
        int length = LittleEndian.int32(buffer, bufferStart);
        if (length < Frame.HEADER_BYTES || length > Limits.MESSAGE_BYTES_MAX) {
            throw new MalformedMessage(
                    "a message of " + length + " bytes; 16 to " + Limits.MESSAGE_BYTES_MAX + " are allowed");
        }
        int requestId = LittleEndian.int32(buffer, bufferStart + 4);
        int responseTo = LittleEndian.int32(buffer, bufferStart + 8);
        int opcode = LittleEndian.int32(buffer, bufferStart + 12);
        byte[] frame = body(length);
        Envelope envelope = new Envelope(requestId, responseTo, opcode, frame, Frame.HEADER_BYTES);
        return opcode == Frame.COMPRESSED_OPCODE ? decompressed(envelope) : new Frame(parse(envelope), Compressor.NONE);
    }

    private boolean fillHeader() throws IOException {
        if (bufferStart == bufferEnd) {
            bufferStart = 0;
            bufferEnd = 0;
        } else if (buffer.length - bufferStart < Frame.HEADER_BYTES) {
            System.arraycopy(buffer, bufferStart, buffer, 0, bufferEnd - bufferStart);
            bufferEnd -= bufferStart;
            bufferStart = 0;
        }
        while (bufferEnd - bufferStart < Frame.HEADER_BYTES) {
            int read = in.read(buffer, bufferEnd, buffer.length - bufferEnd);
            if (read < 0) {
                if (bufferEnd > bufferStart) {
                    throw new EOFException("the stream ended inside a message header");
                }
                return false;
            }
            bufferEnd += read;
        }
        return true;
    }

    /** The whole frame, header included, in its own array: the documents handed out are views into it. */
    private byte[] body(int length) throws IOException {
        int size = Math.min(length, trustedBytes);
        reserve(size);
        byte[] frame = new byte[size];
        int have = Math.min(length, bufferEnd - bufferStart);
        System.arraycopy(buffer, bufferStart, frame, 0, have);
        bufferStart += have;
        while (have < length) {
            if (have == frame.length) {
                long before = held;
                size = have >= BELIEVED_BYTES ? length : (int) Math.min(length, frame.length * 4L);
                reserve(size);
                frame = Arrays.copyOf(frame, size);
                release(before);
            }
            int read = in.read(frame, have, frame.length - have);
            if (read < 0) {
                throw new EOFException("the stream ended inside a message");
            }
            have += read;
        }
        if (length > buffer.length && length <= LARGER_BUFFER_BYTES) {
            // All that was in it belonged to this message.
            buffer = new byte[LARGER_BUFFER_BYTES];
            bufferStart = 0;
            bufferEnd = 0;
        }
        return frame;
    }

    /** One frame, its header already taken apart; {@code start} is where its content begins. */
    private record Envelope(int requestId, int responseTo, int opcode, byte[] bytes, int start) {
        ByteBuffer content() {
            return littleEndian(bytes, start, bytes.length - start);
        }
    }

    private Frame decompressed(Envelope envelope) throws IOException {
        ByteBuffer content = envelope.content();
        if (content.remaining() < 9) {
            throw new MalformedMessage("a compressed message without its header");
        }
        int opcode = content.getInt();
        int size = content.getInt();
        int id = content.get();
        Compressor compressor =
                Compressor.of(id).orElseThrow(() -> new MalformedMessage("there is no compressor " + id));
        if (opcode == Frame.COMPRESSED_OPCODE) {
            throw new MalformedMessage("a compressed message inside a compressed message");
        }
        if (size < 0 || size > Limits.MESSAGE_BYTES_MAX - Frame.HEADER_BYTES) {
            throw new MalformedMessage("a compressed message of " + size + " bytes");
        }
        long compressed = held;
        reserve(size);
        byte[] plain;
        try {
            plain = compressor.decompress(envelope.bytes(), content.position(), content.remaining(), size);
        } catch (IOException e) {
            throw new MalformedMessage("a compressed message that " + e.getMessage());
        }
        release(compressed);
        return new Frame(
                parse(new Envelope(envelope.requestId(), envelope.responseTo(), opcode, plain, 0)), compressor);
    }

    private static Message parse(Envelope envelope) throws IOException {
        return switch (envelope.opcode()) {
            case Message.OpMsg.OPCODE -> opMsg(envelope);
            case Message.OpQuery.OPCODE -> opQuery(envelope);
            case Message.OpReply.OPCODE -> opReply(envelope);
            case Message.GET_MORE_OPCODE ->
                throw RefusedMessage.legacy(envelope.requestId(), Message.unsupported("OP_GET_MORE"));
            default -> throw new MalformedMessage("opcode " + envelope.opcode() + " is not supported");
        };
    }

    private static Message opMsg(Envelope envelope) throws IOException {
        ByteBuffer content = envelope.content();
        if (content.remaining() < 4) {
            throw new MalformedMessage("an OP_MSG without flags");
        }
        int flags = content.getInt();
        try {
            int end = envelope.bytes().length;
            if ((flags & Message.OpMsg.CHECKSUM_PRESENT) != 0) {
                end -= Checksum.BYTES;
                verify(envelope, end);
            }
            if ((flags & UNKNOWN_REQUIRED_FLAGS) != 0) {
                throw new CommandException(
                        ErrorCode.IllegalOpMsgFlag,
                        "Message contains illegal flags value: 0x%x",
                        flags & UNKNOWN_REQUIRED_FLAGS);
            }
            Sections sections = new Sections(envelope.bytes(), content.position(), end);
            return sections.message(envelope.requestId(), envelope.responseTo(), flags);
        } catch (CommandException e) {
            boolean answered = (flags & Message.OpMsg.MORE_TO_COME) == 0;
            throw new RefusedMessage(envelope.requestId(), e, answered, closes(e.code()));
        }
    }

    /** Violations mean that the peer speaks another protocol; MongoDB closes the connection. */
    private static boolean closes(ErrorCode code) {
        return code.equals(ErrorCode.IllegalOpMsgFlag) || code.equals(ErrorCode.TooManyDocumentSequences);
    }

    private static void verify(Envelope envelope, int end) {
        // Inside OP_COMPRESSED the checksum was made over a header that no longer exists; drivers send none there.
        if (end < envelope.start() + 4) {
            throw new CommandException(ErrorCode.ChecksumMismatch, "OP_MSG is too short for its checksum");
        }
        if (envelope.start() != Frame.HEADER_BYTES) {
            return;
        }
        int stated = LittleEndian.int32(envelope.bytes(), end);
        if (stated != Checksum.of(envelope.bytes(), 0, end)) {
            throw new CommandException(ErrorCode.ChecksumMismatch, "OP_MSG checksum does not match contents");
        }
    }

    private static Message opQuery(Envelope envelope) throws IOException {
        ByteBuffer content = envelope.content();
        try {
            if (content.remaining() < 4) {
                throw new MalformedMessage("an OP_QUERY without flags");
            }
            int flags = content.getInt();
            int nameEnd = Sections.cStringEnd(envelope.bytes(), content.position(), envelope.bytes().length);
            String collection = new String(
                    envelope.bytes(), content.position(), nameEnd - content.position(), StandardCharsets.UTF_8);
            // How many documents to skip and to return comes between the name and the query.
            int query = nameEnd + 1 + 8;
            RawDocument document = BsonValidation.check(envelope.bytes(), query, envelope.bytes().length);
            return new Message.OpQuery(envelope.requestId(), envelope.responseTo(), flags, collection, document);
        } catch (CommandException e) {
            throw new MalformedMessage("an OP_QUERY that is malformed: " + e.text());
        }
    }

    private static Message opReply(Envelope envelope) throws IOException {
        ByteBuffer content = envelope.content();
        try {
            if (content.remaining() < 20) {
                throw new MalformedMessage("an OP_REPLY without its header");
            }
            int flags = content.getInt();
            RawDocument document =
                    BsonValidation.check(envelope.bytes(), envelope.start() + 20, envelope.bytes().length);
            return new Message.OpReply(envelope.requestId(), envelope.responseTo(), flags, document);
        } catch (CommandException e) {
            throw new MalformedMessage("an OP_REPLY that is malformed: " + e.text());
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes, int offset, int length) {
        return ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
