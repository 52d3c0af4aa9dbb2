package dev.semel.store.rocks;

import java.util.Arrays;
import java.util.Locale;
import org.rocksdb.CompressionType;

/** How blocks of files are compressed. Files that were written with another one can be read all the same. */
public enum BlockCompression {
    NONE(CompressionType.NO_COMPRESSION),
    SNAPPY(CompressionType.SNAPPY_COMPRESSION),
    LZ4(CompressionType.LZ4_COMPRESSION),
    ZSTD(CompressionType.ZSTD_COMPRESSION);

    private final CompressionType type;

    BlockCompression(CompressionType type) {
        this.type = type;
    }

    public static BlockCompression named(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no compression " + label));
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    CompressionType type() {
        return type;
    }
}
