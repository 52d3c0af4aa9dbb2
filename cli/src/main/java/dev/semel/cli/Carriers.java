package dev.semel.cli;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Sets the number of carrier threads of this process to what {@link CarrierCount} says. From Java 24 on the number can be
 * changed while they run; before that it stays what Java chooses.
 */
final class Carriers implements Runnable {
    private static final String PARALLELISM = "jdk.virtualThreadScheduler.parallelism";
    private static final int CHANGEABLE_SINCE = 24;
    private static final long FIRST_LOOK_NANOS = 1_000_000_000;
    private static final long LOOK_NANOS = 50_000_000;
    private static final String CARRIER_NAME = "ForkJoinPool-";

    /** Carriers come and go more slowly than this. */
    private static final int LOOKS_PER_LIST = 20;

    private final CarrierCount count;
    private final ThreadMXBean threads;
    private final MBeanServer beans;
    private final ObjectName scheduler;

    /** The processor time of each carrier when it was read last. */
    private Map<Long, Long> spentNanos = new HashMap<>();

    private long[] carriers = {};
    private int looks;

    private Carriers(int processors) throws JMException {
        count = new CarrierCount(processors);
        threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        beans = ManagementFactory.getPlatformMBeanServer();
        scheduler = new ObjectName("jdk.management:type=VirtualThreadScheduler");
    }

    /** Before the first virtual thread. A number that the user has set stays. */
    static void start() {
        int processors = Runtime.getRuntime().availableProcessors();
        if (processors == 1
                || Runtime.version().feature() < CHANGEABLE_SINCE
                || System.getProperty(PARALLELISM) != null) {
            return;
        }
        System.setProperty(PARALLELISM, "1");
        Thread.ofPlatform().name("semel-carriers").daemon(true).start(() -> {
            // What it needs takes a while to load, which would delay the start.
            LockSupport.parkNanos(FIRST_LOOK_NANOS);
            try {
                new Carriers(processors).run();
            } catch (JMException e) {
                throw new IllegalStateException("the number of carrier threads cannot be set", e);
            }
        });
    }

    @Override
    public void run() {
        long before = System.nanoTime();
        busyNanos();
        Thread probe = null;
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            long now = System.nanoTime();
            double busy = (double) busyNanos() / Math.max(1, now - before);
            before = now;
            boolean stuck = isWaiting(probe);
            int had = count.count();
            if (count.next(busy, stuck) != had) {
                set(count.count());
            }
            if (!stuck) {
                probe = Thread.startVirtualThread(() -> {});
            }
        }
    }

    /** One that a carrier has run is over. */
    private static boolean isWaiting(@Nullable Thread probe) {
        return probe != null && probe.isAlive();
    }

    /** What all carriers have used since the last call. */
    private long busyNanos() {
        if (looks++ % LOOKS_PER_LIST == 0) {
            carriers = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                    .filter(Objects::nonNull)
                    .filter(each -> each.getThreadName().startsWith(CARRIER_NAME))
                    .mapToLong(ThreadInfo::getThreadId)
                    .toArray();
        }
        long[] spent = threads.getThreadCpuTime(carriers);
        Map<Long, Long> now = new HashMap<>();
        long busy = 0;
        for (int i = 0; i < carriers.length; i++) {
            now.put(carriers[i], spent[i]);
            busy += Math.max(0, spent[i] - spentNanos.getOrDefault(carriers[i], spent[i]));
        }
        spentNanos = now;
        return busy;
    }

    private void set(int parallelism) {
        try {
            beans.setAttribute(scheduler, new Attribute("Parallelism", parallelism));
        } catch (JMException e) {
            throw new IllegalStateException("the number of carrier threads cannot be set", e);
        }
    }
}
