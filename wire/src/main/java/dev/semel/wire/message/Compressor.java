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

/** The ways to compress a message, by their number in OP_COMPRESSED and their name in the handshake. */
public enum Compressor {
    NONE(0, "noop") {
        @Override
        byte[] compress(byte[] bytes, int offset, int length, int zlibLevel) {
            return Arrays.copyOfRange(bytes, offset, offset + length);
        }

        @Override
        byte[] decompress(byte[] bytes, int offset, int length, int decompressed) throws IOException {
            if (length != decompressed) {
                throw new IOException("says " + decompressed + " bytes and holds " + length);
            }
            return Arrays.copyOfRange(bytes, offset, offset + length);
        }
    },

    SNAPPY(1, "snappy") {
        @Override
        byte[] compress(byte[] bytes, int offset, int length, int zlibLevel) throws IOException {
            byte[] compressed = new byte[Snappy.maxCompressedLength(length)];
            return Arrays.copyOf(compressed, Snappy.compress(bytes, offset, length, compressed, 0));
        }

        @Override
        byte[] decompress(byte[] bytes, int offset, int length, int decompressed) throws IOException {
            if (!Snappy.isValidCompressedBuffer(bytes, offset, length)
                    || Snappy.uncompressedLength(bytes, offset, length) != decompressed) {
                throw new IOException("is no snappy data of " + decompressed + " bytes");
            }
            byte[] result = new byte[decompressed];
            Snappy.uncompress(bytes, offset, length, result, 0);
            return result;
        }
    },

    ZLIB(2, "zlib") {
        @Override
        byte[] compress(byte[] bytes, int offset, int length, int zlibLevel) {
            Deflater deflater = new Deflater(zlibLevel);
            try {
                deflater.setInput(bytes, offset, length);
                deflater.finish();
                byte[] compressed = new byte[length / 2 + 64];
                int size = 0;
                while (!deflater.finished()) {
                    if (size == compressed.length) {
                        compressed = Arrays.copyOf(compressed, size * 2);
                    }
                    size += deflater.deflate(compressed, size, compressed.length - size);
                }
                return Arrays.copyOf(compressed, size);
            } finally {
                deflater.end();
            }
        }

        @Override
        byte[] decompress(byte[] bytes, int offset, int length, int decompressed) throws IOException {
            Inflater inflater = new Inflater();
            try {
                inflater.setInput(bytes, offset, length);
                // Grows with what really comes out: the stated size may be a lie.
                byte[] result = new byte[Math.min(decompressed, Math.max(64, length * 4))];
                int size = 0;
                while (true) {
                    int more = inflater.inflate(result, size, result.length - size);
                    size += more;
                    if (inflater.finished()) {
                        break;
                    }
                    if (size == result.length && size < decompressed) {
                        result = Arrays.copyOf(result, (int) Math.min(decompressed, size * 2L));
                    } else if (more == 0) {
                        throw new IOException("does not decompress to " + decompressed + " bytes");
                    }
                }
                if (size != decompressed) {
                    throw new IOException("says " + decompressed + " bytes and holds " + size);
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
        byte[] compress(byte[] bytes, int offset, int length, int zlibLevel) {
            byte[] compressed = new byte[Math.toIntExact(Zstd.compressBound(length))];
            long size = Zstd.compressByteArray(
                    compressed, 0, compressed.length, bytes, offset, length, Zstd.defaultCompressionLevel());
            return Arrays.copyOf(compressed, Math.toIntExact(size));
        }

        @Override
        byte[] decompress(byte[] bytes, int offset, int length, int decompressed) throws IOException {
            // What no data of this length can decompress to is not worth an array of that size.
            long possible = (length / ZSTD_BLOCK_BYTES_MIN + 1L) * ZSTD_BLOCK_DECOMPRESSED_MAX;
            // A client that compresses a stream, as Go's driver does, does not state the size in the data.
            if (length == 0
                    || decompressed > possible
                    || Zstd.getFrameContentSize(bytes, offset, length) > decompressed) {
                throw new IOException("is no zstd data of " + decompressed + " bytes");
            }
            try {
                byte[] result = new byte[decompressed];
                if (Zstd.decompressByteArray(result, 0, decompressed, bytes, offset, length) != decompressed) {
                    throw new IOException("is no zstd data of " + decompressed + " bytes");
                }
                return result;
            } catch (ZstdException e) {
                throw new IOException("is no zstd data", e);
            }
        }
    };

    /** A block of the zstd format has a header of three bytes and decompresses to 128 KiB at most. */
    private static final int ZSTD_BLOCK_BYTES_MIN = 3;

    private static final int ZSTD_BLOCK_DECOMPRESSED_MAX = 128 * 1024;

    /** Secrets and the handshake itself are never compressed: the compressed size would reveal something about their content. */
    private static final Set<String> NEVER_COMPRESSED = Set.of(
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

    /** Whether this command and its answer may travel compressed. */
    public static boolean mayCompress(String command) {
        return !NEVER_COMPRESSED.contains(command);
    }

    static Optional<Compressor> of(int id) {
        return Arrays.stream(values()).filter(each -> each.id == id).findFirst();
    }

    byte[] compress(byte[] bytes, int offset, int length) throws IOException {
        return compress(bytes, offset, length, Deflater.DEFAULT_COMPRESSION);
    }

    /** The level, from 0 to 9 or -1 for the usual one, means something to zlib only. */
    abstract byte[] compress(byte[] bytes, int offset, int length, int zlibLevel) throws IOException;

    /** Exactly {@code decompressed} bytes, or an exception that says what the data is not. */
    abstract byte[] decompress(byte[] bytes, int offset, int length, int decompressed) throws IOException;
}
