package dev.semel.replication.ratis;

import dev.semel.replication.Member;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationOptions;
import dev.semel.replication.RoleView;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stands for election as soon as the process of the leader has ended, without waiting for the election timeout: the system
 * closes its connections then, and refuses new ones at its port. A leader that is silent for another reason may still lead,
 * so the timeout is waited for; so it is when this attempt fails, as it does when another member has a longer log.
 */
final class LeaderWatch {
    private static final int CONNECT_MS_MAX = 200;

    /** A process that ends closes its connections and its port one after the other. */
    private static final int LOOKS_MAX = 150;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How long a candidate waits for the one before it, which wins within a few milliseconds or not at all. */
    private static final long TURN_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(400);

    private final ReplicationOptions options;
    private final Collection<? extends ReplicationEngine> engines;
    private final AtomicBoolean isLooking = new AtomicBoolean();

    /** The engines are those of this node at any moment. */
    LeaderWatch(ReplicationOptions options, Collection<? extends ReplicationEngine> engines) {
        this.options = options;
        this.engines = engines;
    }

    /** A connection of another member, it is not known which one. Returns at once. */
    void connectionClosed() {
        if (isLooking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("replication-leader-watch").start(() -> {
                try {
                    engines.forEach(this::look);
                } finally {
                    isLooking.set(false);
                }
            });
        }
    }

    private void look(ReplicationEngine engine) {
        var role = engine.role();
        var leader = leader(role);
        if (leader == null || !hasEnded(leader)) {
            return;
        }
        LockSupport.parkNanos(delayNanos(role, leader));
        var now = engine.role();
        if (now.term() == role.term() && leader.equals(leader(now))) {
            var unused = engine.stand();
        }
    }

    /** Whom this member follows and could succeed. */
    private @Nullable Member leader(RoleView role) {
        boolean isVoter =
                role.membership().voters().stream().anyMatch(each -> each.name().equals(options.self()));
        if (role.role() != RoleView.Role.FOLLOWER || !isVoter || options.self().equals(role.leader())) {
            return null;
        }
        return role.membership()
                .all()
                .filter(each -> each.name().equals(role.leader()))
                .findAny()
                .orElse(null);
    }

    private static boolean hasEnded(Member leader) {
        for (int i = 0; i < LOOKS_MAX; i++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(leader.host(), leader.port()), CONNECT_MS_MAX);
            } catch (ConnectException e) {
                return true;
            } catch (IOException e) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return false;
    }

    /** Candidates of the same moment would divide the votes, so the most preferred voter goes first. */
    private long delayNanos(RoleView role, Member leader) {
        List<String> candidates = role.membership().voters().stream()
                .filter(each -> !each.name().equals(leader.name()))
                .sorted(Comparator.comparingInt(Member::priority).reversed().thenComparing(Member::name))
                .map(Member::name)
                .toList();
        return candidates.indexOf(options.self())
                * Math.min(TURN_NANOS_MAX, options.electionTimeout().toNanos() / 2);
    }
}
