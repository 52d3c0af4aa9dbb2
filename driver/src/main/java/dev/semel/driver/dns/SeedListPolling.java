package dev.semel.driver.dns;

import dev.semel.driver.setting.ServerAddress;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks the seed list up again while the servers turn out to be routers, whose number may change, or have not answered yet. */
public final class SeedListPolling implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.semel.driver.dns");

    /** The topology, which uses the servers. */
    public interface Follower {
        /** Whether the servers are routers, or may be. */
        boolean wantsSeeds();

        Collection<ServerAddress> current();

        void seeds(List<ServerAddress> now);
    }

    private final SeedList seeds;
    private final Follower follower;
    private final Duration interval;
    private final Duration intervalAfterFailure;
    private final CountDownLatch closed = new CountDownLatch(1);

    public SeedListPolling(SeedList seeds, Follower follower, Duration interval, Duration intervalAfterFailure) {
        this.seeds = seeds;
        this.follower = follower;
        this.interval = interval;
        this.intervalAfterFailure = intervalAfterFailure;
    }

    public Thread start() {
        return Thread.ofVirtual().name("semel-seeds-" + seeds.host()).start(this::run);
    }

    private void run() {
        try {
            Duration pause = interval;
            while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS) && follower.wantsSeeds()) {
                pause = isRenewed() ? interval : intervalAfterFailure;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What cannot be looked up says nothing: the servers known so far are kept. */
    private boolean isRenewed() {
        try {
            List<ServerAddress> now = seeds.hosts(follower.current());
            if (!now.isEmpty()) {
                follower.seeds(now);
            }
            return !now.isEmpty();
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "The seed list could not be renewed", e);
            return false;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
