package dev.semel.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** How long this disk takes to make a small append durable: the floor under every durable commit. */
public final class SyncLatency {
    private static final int APPENDS = 2000;

    private SyncLatency() {}

    public static void main(String[] arguments) throws IOException {
        Path file = Files.createTempFile(Path.of(arguments.length > 0 ? arguments[0] : "."), "sync", ".tmp");
        long[] nanos = new long[APPENDS];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int i = 0; i < APPENDS; i++) {
                channel.write(ByteBuffer.allocate(1024));
                long before = System.nanoTime();
                channel.force(false);
                nanos[i] = System.nanoTime() - before;
            }
        } finally {
            Files.delete(file);
        }
        Arrays.sort(nanos);
        System.out.printf(
                "{\"syncMicros\":{\"p50\":%d,\"p99\":%d}}%n",
                nanos[APPENDS / 2] / 1000, nanos[APPENDS * 99 / 100] / 1000);
    }
}
