package dev.semel.server.net;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The processors of this machine, or of the container. */
final class Processors {
    /** Above this none counts as idle. */
    private static final double FULL = 0.9;

    int count() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Whether less than all were in use since the last call. */
    boolean isOneIdle() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad() < FULL;
    }
}
