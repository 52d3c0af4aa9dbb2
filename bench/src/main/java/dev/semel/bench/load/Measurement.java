package dev.semel.bench.load;

import java.util.Locale;

/** What one run of one workload came to. */
record Measurement(
        String target,
        Workload workload,
        int clients,
        long operations,
        double seconds,
        double serverCpuMicros,
        long p50Micros,
        long p99Micros) {

    double perSecond() {
        return operations / seconds;
    }

    double serverCpuMicrosPerOperation() {
        return serverCpuMicros / operations;
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"target\":\"%s\",\"workload\":\"%s\",\"clients\":%d,\"operations\":%d,\"seconds\":%.3f,"
                        + "\"perSecond\":%.1f,\"serverCpuMicrosPerOperation\":%.2f,\"p50Micros\":%d,\"p99Micros\":%d}",
                target,
                workload.label(),
                clients,
                operations,
                seconds,
                perSecond(),
                serverCpuMicrosPerOperation(),
                p50Micros,
                p99Micros);
    }
}
