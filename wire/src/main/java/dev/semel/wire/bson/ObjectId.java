package dev.semel.wire.bson;

import java.util.HexFormat;

/** Twelve bytes, in the order in which they compare: four of seconds, then eight that make it unique. */
public record ObjectId(int seconds, long rest) implements Comparable<ObjectId> {

    static ObjectId read(byte[] bytes, int at) {
        return new ObjectId(
                Integer.reverseBytes(LittleEndian.int32(bytes, at)),
                Long.reverseBytes(LittleEndian.int64(bytes, at + 4)));
    }

    void write(byte[] bytes, int at) {
        LittleEndian.putInt32(bytes, at, Integer.reverseBytes(seconds));
        LittleEndian.putInt64(bytes, at + 4, Long.reverseBytes(rest));
    }

    /** From 24 hexadecimal digits; anything else is an {@link IllegalArgumentException}. */
    public static ObjectId parse(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        if (bytes.length != 12) {
            throw new IllegalArgumentException("an ObjectId has 24 hexadecimal digits: " + hex);
        }
        return read(bytes, 0);
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[12];
        write(bytes, 0);
        return bytes;
    }

    @Override
    public int compareTo(ObjectId other) {
        int bySeconds = Integer.compareUnsigned(seconds, other.seconds);
        return bySeconds != 0 ? bySeconds : Long.compareUnsigned(rest, other.rest);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(toBytes());
    }
}
