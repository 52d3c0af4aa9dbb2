package dev.semel.wire.message;

/** A message and how it was, or is to be, packed. A server answers in the packing it was asked in. */
public record Frame(Message message, Compressor compressor) {
    /** OP_COMPRESSED, opcode 2012: another message, packed. */
    static final int COMPRESSED_OPCODE = 2012;

    /** Length, request, response and opcode, four bytes each. */
    static final int HEADER_BYTES = 16;
}
