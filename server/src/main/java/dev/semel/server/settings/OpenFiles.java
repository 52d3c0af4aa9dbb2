package dev.semel.server.settings;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many files and connections the operating system lets the process have open at a time, and who gets how many of them. A
 * storage engine that cannot open its next file ends the server, so connections must leave enough.
 */
public final class OpenFiles {
    /** For the engine's tables, of which it closes one to open another. */
    private static final int ENGINE_SHARE = 8;

    private static final int ENGINE_MAX = 2000;
    private static final int ENGINE_MIN = 16;

    /** For the JVM, and for logs, temporary files and the connections of members while there are few clients. */
    private static final int OTHERS_MIN = 64;

    /** For one client, and whoever looks why there are no more. */
    private static final int CONNECTIONS_MIN = 8;

    private OpenFiles() {}

    /** How many connections clients may have. */
    public static long connectionsMax() {
        return connectionsMax(max());
    }

    static long connectionsMax(long max) {
        return Math.max(CONNECTIONS_MIN, max / 4 * 3 - OTHERS_MIN);
    }

    /** How many tables the engine keeps open. */
    static int engineMax() {
        return engineMax(max());
    }

    static int engineMax(long max) {
        return Math.clamp(max / ENGINE_SHARE, ENGINE_MIN, ENGINE_MAX);
    }

    /** Of this process. Where nobody knows, there is none. */
    private static long max() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                        && system.getMaxFileDescriptorCount() > 0
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}
