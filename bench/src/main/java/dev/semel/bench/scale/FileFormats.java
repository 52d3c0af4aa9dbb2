package dev.semel.bench.scale;

import com.sun.management.OperatingSystemMXBean;
import dev.semel.store.Batch;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.rocks.BlockCompression;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import dev.semel.wire.bson.BsonWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * What the ways to write files cost: {@code FileFormats <folder> <documents>}. Each fills a store of its own with documents and entries of
 * an index, merges its files, and reads them with a cache for all and with one for a small part. Prints rows of a table.
 */
public final class FileFormats {
    private static final int BATCH = 100;
    private static final int READS = 200_000;
    private static final long LARGE_CACHE_BYTES = 1L << 30;
    private static final long SMALL_CACHE_BYTES = 8 << 20;
    private static final List<String> WORDS =
            List.of("open", "closed", "waiting for payment", "in delivery", "returned", "lost", "archived");

    private final Path folder;
    private final int documents;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private FileFormats(Path folder, int documents) {
        this.folder = folder;
        this.documents = documents;
    }

    public static void main(String... arguments) throws IOException {
        var formats = new FileFormats(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        formats.measure(new RocksOptions.Files(BlockCompression.NONE, 8 << 10, 10));
        System.out.println(
                "| compression | block, bytes | filter, bits per key | load, µs | size | find, µs | find, small cache,"
                        + " µs | absent, small cache, µs | scan, µs |\n"
                        + "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        for (var compression : BlockCompression.values()) {
            System.out.println(formats.measure(new RocksOptions.Files(compression, 8 << 10, 10)));
        }
        for (int blockBytes : List.of(4 << 10, 16 << 10, 32 << 10)) {
            System.out.println(formats.measure(new RocksOptions.Files(BlockCompression.LZ4, blockBytes, 10)));
        }
        for (int bits : List.of(0, 16)) {
            System.out.println(formats.measure(new RocksOptions.Files(BlockCompression.LZ4, 8 << 10, bits)));
        }
    }

    private String measure(RocksOptions.Files files) throws IOException {
        Path data = folder.resolve("formats");
        clear(data);
        long raw;
        double load;
        double size;
        double cached;
        double scan;
        try (RocksStore store = RocksStore.open(data, options(LARGE_CACHE_BYTES, files))) {
            long before = system.getProcessCpuTime();
            raw = load(store);
            store.compact(Table.DOCUMENTS, KeyRange.ALL);
            store.compact(Table.INDEXES, KeyRange.ALL);
            load = microsSince(before, documents);
            size = (double) store.figures().getOrDefault("fileBytes", 0L) / raw;
            find(store, 0);
            cached = find(store, 0);
            scan = scan(store);
        }
        double cold;
        double absent;
        try (RocksStore store = RocksStore.open(data, options(SMALL_CACHE_BYTES, files))) {
            find(store, 0);
            cold = find(store, 0);
            absent = find(store, 1);
        }
        clear(data);
        return String.format(
                Locale.ROOT,
                "| `%s` | %,d | %d | %.1f | %.2f | %.1f | %.1f | %.1f | %.2f |",
                files.compression().label(),
                files.blockBytes(),
                files.bloomBitsPerKey(),
                load,
                size,
                cached,
                cold,
                absent,
                scan);
    }

    /** Without a cache of whole documents, which would hide the files. */
    private static RocksOptions options(long cacheBytes, RocksOptions.Files files) {
        return new RocksOptions(cacheBytes, 0, 64 << 20, 64 << 20, 2, 2000, files);
    }

    private long load(RocksStore store) {
        SplittableRandom random = new SplittableRandom(1);
        long bytes = 0;
        for (int i = 0; i < documents; i += BATCH) {
            Batch batch = new Batch();
            for (int j = i; j < i + BATCH; j++) {
                batch.put(Table.DOCUMENTS, key(2L * j), document(j, random));
                batch.put(
                        Table.INDEXES,
                        ByteBuffer.allocate(24)
                                .putInt(3)
                                .putLong(random.nextLong() >>> 1)
                                .putLong(j)
                                .array(),
                        new byte[1]);
            }
            bytes += batch.bytes();
            store.write(batch, false);
        }
        return bytes;
    }

    /** Even numbers are there. */
    private static byte[] key(long number) {
        return ByteBuffer.allocate(12).putInt(7).putLong(number).array();
    }

    private static byte[] document(int number, SplittableRandom random) {
        return new BsonWriter()
                .put("_id", (long) number)
                .put("customer", "customer-" + random.nextInt(50_000))
                .put("mail", Long.toString(random.nextLong() >>> 1, 36) + "@example.org")
                .put("state", WORDS.get(random.nextInt(WORDS.size())))
                .put("amount", random.nextInt(100_000) / 100.0)
                .put("quantity", random.nextInt(20))
                .put("remark", WORDS.get(random.nextInt(WORDS.size())) + ", " + WORDS.get(random.nextInt(WORDS.size())))
                .finish()
                .toBytes();
    }

    private double find(RocksStore store, int offset) {
        SplittableRandom random = new SplittableRandom(2);
        long found = 0;
        long before = system.getProcessCpuTime();
        try (Snapshot snapshot = store.snapshot(1)) {
            for (int i = 0; i < READS; i++) {
                found += snapshot.get(Table.DOCUMENTS, key(2L * random.nextInt(documents) + offset)) == null ? 0 : 1;
            }
        }
        if (found != (offset == 0 ? READS : 0)) {
            throw new IllegalStateException(found + " of " + READS + " found");
        }
        return microsSince(before, READS);
    }

    private double scan(RocksStore store) {
        long before = system.getProcessCpuTime();
        int count = 0;
        try (Snapshot snapshot = store.snapshot(1);
                Scan scan = snapshot.scan(Table.DOCUMENTS, KeyRange.ALL, false)) {
            while (scan.next()) {
                count += scan.transientValue().length > 0 ? 1 : 0;
            }
        }
        return microsSince(before, count);
    }

    private double microsSince(long before, long operations) {
        return (system.getProcessCpuTime() - before) / 1e3 / operations;
    }

    private static void clear(Path data) throws IOException {
        if (Files.exists(data)) {
            try (Stream<Path> files = Files.walk(data)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
