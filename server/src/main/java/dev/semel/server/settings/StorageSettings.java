package dev.semel.server.settings;

import com.sun.management.OperatingSystemMXBean;
import dev.semel.server.settings.Setting.When;
import dev.semel.store.rocks.BlockCompression;
import dev.semel.store.rocks.RocksOptions;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What the engine on disk may take, and how it writes its files. A server in memory has none of it. */
public final class StorageSettings {
    private static final long LEAST = 1 << 20;

    private final Map<Setting<?>, String> defaults = new LinkedHashMap<>();
    private final Consumer<Setting<?>> table;

    private final Setting<Long> cacheBytesMax;
    private final Setting<Long> documentCacheBytesMax;
    private final Setting<Long> writeBufferBytesMax;
    private final Setting<Long> logBytesMax;
    private final Setting<String> compression;
    private final Setting<Long> blockBytes;
    private final Setting<Long> bloomBitsPerKey;
    private final Setting<Long> backgroundJobs;

    StorageSettings(long heapBytes, Consumer<Setting<?>> table) {
        this.table = table;
        RocksOptions fitting = RocksOptions.forMemory(physicalBytes(heapBytes), heapBytes);
        cacheBytesMax = bytes("storageCacheBytesMax", fitting.cacheBytes(), "two fifths of the memory beside the heap");
        documentCacheBytesMax = bytes("documentCacheBytesMax", fitting.documentCacheBytes(), "a share of the heap");
        writeBufferBytesMax = bytes(
                "storageWriteBufferBytesMax", fitting.writeBufferBytes(), "a share of the memory beside the heap");
        logBytesMax = bytes("storageLogBytesMax", fitting.journalBytesMax(), "a share of the memory beside the heap");
        compression = setting(
                "storageCompression",
                Setting.oneOf(Arrays.stream(BlockCompression.values())
                        .map(BlockCompression::label)
                        .toList()),
                fitting.files().compression().label());
        blockBytes = setting("storageBlockBytes", Setting.wholeNumber(1 << 10, 1 << 20), (long)
                fitting.files().blockBytes());
        bloomBitsPerKey = setting("storageBloomBitsPerKey", Setting.wholeNumber(0, 64), (long)
                fitting.files().bloomBitsPerKey());
        backgroundJobs = setting("storageBackgroundJobs", Setting.wholeNumber(1, 64), (long) fitting.backgroundJobs());
        defaults.put(backgroundJobs, "the number of processors, at least 2");
    }

    /** Of a container, if the process is in one that has a limit. */
    private static long physicalBytes(long heapBytes) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 2 * heapBytes;
    }

    private Setting<Long> bytes(String name, long value, String words) {
        Setting<Long> setting = setting(name, Setting.wholeNumber(LEAST, Long.MAX_VALUE), Math.max(LEAST, value));
        defaults.put(setting, words);
        return setting;
    }

    private <T> Setting<T> setting(String name, Setting.Kind<T> kind, T value) {
        Setting<T> setting = new Setting<>(name, kind, When.AT_START, value);
        table.accept(setting);
        return setting;
    }

    public RocksOptions options() {
        return new RocksOptions(
                cacheBytesMax.value(),
                documentCacheBytesMax.value(),
                writeBufferBytesMax.value(),
                logBytesMax.value(),
                backgroundJobs.value().intValue(),
                OpenFiles.engineMax(),
                new RocksOptions.Files(
                        BlockCompression.named(compression.value()),
                        blockBytes.value().intValue(),
                        bloomBitsPerKey.value().intValue()));
    }

    /** The defaults that depend on the machine, in words. */
    public Map<Setting<?>, String> defaults() {
        return Map.copyOf(defaults);
    }
}
