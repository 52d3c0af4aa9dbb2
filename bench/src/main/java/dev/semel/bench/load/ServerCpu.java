package dev.semel.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Processor time of a server and its child processes, from Linux's process table. PostgreSQL works in children, one per
 * connection, which is why a process alone does not do.
 */
public final class ServerCpu {
    /** What the kernel counts in: a hundred ticks a second on every Linux of today. */
    private static final long MICROS_PER_TICK = 10_000;

    private static final Pattern COMPILER = Pattern.compile("C[12] Compiler");

    private final List<Long> pids;

    /** Of the processes of one server, or of all members of a set. Without any, because none is known, it is always 0. */
    public ServerCpu(List<Long> pids) {
        this.pids = pids;
    }

    /** Microseconds since the processes began. */
    public long micros() {
        return pids.stream()
                        .flatMap(pid -> Stream.concat(Stream.of(pid), children(pid)))
                        .mapToLong(ServerCpu::ticks)
                        .sum()
                * MICROS_PER_TICK;
    }

    /** What the JVM's compilers have of that; of those that run at present. */
    long compilerMicros() {
        return pids.stream()
                        .flatMap(pid -> threads(pid).filter(ServerCpu::isCompiler))
                        .mapToLong(ServerCpu::ticks)
                        .sum()
                * MICROS_PER_TICK;
    }

    private static Stream<Path> threads(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.toList().stream();
        } catch (IOException ended) {
            return Stream.of();
        }
    }

    private static boolean isCompiler(Path thread) {
        try {
            return COMPILER.matcher(Files.readString(thread.resolve("comm"))).lookingAt();
        } catch (IOException ended) {
            return false;
        }
    }

    private static Stream<Long> children(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid);
    }

    private static long ticks(long pid) {
        return ticks(Path.of("/proc/" + pid));
    }

    private static long ticks(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            // utime, stime and the same of children that have ended
            return Long.parseLong(fields[11])
                    + Long.parseLong(fields[12])
                    + Long.parseLong(fields[13])
                    + Long.parseLong(fields[14]);
        } catch (IOException ended) {
            return 0;
        }
    }
}
