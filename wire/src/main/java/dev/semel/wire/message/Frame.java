package dev.semel.wire.message;

/** A message and its compressor. A server replies with the compressor of the request. */
public record Frame(Message message, Compressor compressor) {
    /** OP_COMPRESSED, opcode 2012: another message, compressed. */
    static final int COMPRESSED_OPCODE = 2012;

    /** Length, request, response and opcode, four bytes each. */
    static final int HEADER_BYTES = 16;
}
