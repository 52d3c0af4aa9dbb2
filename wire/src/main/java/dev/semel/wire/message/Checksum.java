package dev.semel.wire.message;

import java.util.zip.CRC32C;

/** The optional last four bytes of an OP_MSG: CRC-32C over all that precedes them, header included. */
final class Checksum {
    static final int BYTES = 4;

    private Checksum() {}

    static int of(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
