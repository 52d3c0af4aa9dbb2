package dev.semel.wire.message;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.xerial.snappy.Snappy;

/** The ways to pack a message, by their number in OP_COMPRESSED and their name in the handshake. */
public enum Compressor {
    NONE(0, "noop") {
        @Override
        byte[] pack(byte[] bytes, int offset, int length, int zlibLevel) {
            return Arrays.copyOfRange(bytes, offset, offset + length);
        }

        @Override
        byte[] unpack(byte[] bytes, int offset, int length, int unpacked) throws IOException {
            if (length != unpacked) {
                throw new IOException("says " + unpacked + " bytes and holds " + length);
            }
            return Arrays.copyOfRange(bytes, offset, offset + length);
        }
    },

    SNAPPY(1, "snappy") {
        @Override
        byte[] pack(byte[] bytes, int offset, int length, int zlibLevel) throws IOException {
            byte[] packed = new byte[Snappy.maxCompressedLength(length)];
            return Arrays.copyOf(packed, Snappy.compress(bytes, offset, length, packed, 0));
        }

        @Override
        byte[] unpack(byte[] bytes, int offset, int length, int unpacked) throws IOException {
            if (!Snappy.isValidCompressedBuffer(bytes, offset, length)
                    || Snappy.uncompressedLength(bytes, offset, length) != unpacked) {
                throw new IOException("is no snappy data of " + unpacked + " bytes");
            }
            byte[] result = new byte[unpacked];
            Snappy.uncompress(bytes, offset, length, result, 0);
            return result;
        }
    },

    ZLIB(2, "zlib") {
        @Override
        byte[] pack(byte[] bytes, int offset, int length, int zlibLevel) {
            Deflater deflater = new Deflater(zlibLevel);
            try {
                deflater.setInput(bytes, offset, length);
                deflater.finish();
                byte[] packed = new byte[length / 2 + 64];
                int size = 0;
                while (!deflater.finished()) {
                    if (size == packed.length) {
                        packed = Arrays.copyOf(packed, size * 2);
                    }
                    size += deflater.deflate(packed, size, packed.length - size);
                }
                return Arrays.copyOf(packed, size);
            } finally {
                deflater.end();
            }
        }

        @Override
        byte[] unpack(byte[] bytes, int offset, int length, int unpacked) throws IOException {
            Inflater inflater = new Inflater();
            try {
                inflater.setInput(bytes, offset, length);
                // Grows with what really comes out: the stated size may be a lie.
                byte[] result = new byte[Math.min(unpacked, Math.max(64, length * 4))];
                int size = 0;
                while (true) {
                    int more = inflater.inflate(result, size, result.length - size);
                    size += more;
                    if (inflater.finished()) {
                        break;
                    }
                    if (size == result.length && size < unpacked) {
                        result = Arrays.copyOf(result, (int) Math.min(unpacked, size * 2L));
                    } else if (more == 0) {
                        throw new IOException("does not unpack to " + unpacked + " bytes");
                    }
                }
                if (size != unpacked) {
                    throw new IOException("says " + unpacked + " bytes and holds " + size);
                }
                return result;
            } catch (DataFormatException e) {
                throw new IOException("is no zlib data", e);
            } finally {
                inflater.end();
            }
        }
    },

    ZSTD(3, "zstd") {
        @Override
        byte[] pack(byte[] bytes, int offset, int length, int zlibLevel) {
            byte[] packed = new byte[Math.toIntExact(Zstd.compressBound(length))];
            long size = Zstd.compressByteArray(
                    packed, 0, packed.length, bytes, offset, length, Zstd.defaultCompressionLevel());
            return Arrays.copyOf(packed, Math.toIntExact(size));
        }

        @Override
        byte[] unpack(byte[] bytes, int offset, int length, int unpacked) throws IOException {
            // What no data of this length can unpack to is not worth an array of that size.
            long possible = (length / ZSTD_BLOCK_BYTES_MIN + 1L) * ZSTD_BLOCK_UNPACKED_MAX;
            if (length == 0 || unpacked > possible || Zstd.getFrameContentSize(bytes, offset, length) != unpacked) {
                throw new IOException("is no zstd data of " + unpacked + " bytes");
            }
            try {
                byte[] result = new byte[unpacked];
                if (Zstd.decompressByteArray(result, 0, unpacked, bytes, offset, length) != unpacked) {
                    throw new IOException("is no zstd data of " + unpacked + " bytes");
                }
                return result;
            } catch (ZstdException e) {
                throw new IOException("is no zstd data", e);
            }
        }
    };

    /** A block of the zstd format has a header of three bytes and unpacks to 128 KiB at most. */
    private static final int ZSTD_BLOCK_BYTES_MIN = 3;

    private static final int ZSTD_BLOCK_UNPACKED_MAX = 128 * 1024;

    /** Secrets and the handshake itself stay unpacked: their size would say something about them. */
    private static final Set<String> NEVER_PACKED = Set.of(
            "hello",
            "isMaster",
            "ismaster",
            "saslStart",
            "saslContinue",
            "getnonce",
            "authenticate",
            "createUser",
            "updateUser",
            "copydbSaslStart",
            "copydbgetnonce",
            "copydb");

    private final int id;
    private final String label;

    Compressor(int id, String label) {
        this.id = id;
        this.label = label;
    }

    /** The name in the handshake's {@code compression} list. */
    public String label() {
        return label;
    }

    /** The number in OP_COMPRESSED. */
    public int id() {
        return id;
    }

    public static Optional<Compressor> named(String label) {
        return Arrays.stream(values()).filter(each -> each.label.equals(label)).findFirst();
    }

    /** Those of the asked-for names that we know, in the client's order of preference. */
    public static List<Compressor> common(List<String> wanted) {
        return wanted.stream()
                .map(Compressor::named)
                .flatMap(Optional::stream)
                .filter(each -> each != NONE)
                .distinct()
                .toList();
    }

    /** Whether this command and its answer may travel packed. */
    public static boolean mayPack(String command) {
        return !NEVER_PACKED.contains(command);
    }

    static Optional<Compressor> of(int id) {
        return Arrays.stream(values()).filter(each -> each.id == id).findFirst();
    }

    byte[] pack(byte[] bytes, int offset, int length) throws IOException {
        return pack(bytes, offset, length, Deflater.DEFAULT_COMPRESSION);
    }

    /** The level, from 0 to 9 or -1 for the usual one, means something to zlib only. */
    abstract byte[] pack(byte[] bytes, int offset, int length, int zlibLevel) throws IOException;

    /** Exactly {@code unpacked} bytes, or an exception that says what the data is not. */
    abstract byte[] unpack(byte[] bytes, int offset, int length, int unpacked) throws IOException;
}
