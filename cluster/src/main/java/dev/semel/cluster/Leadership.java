package dev.semel.cluster;

import dev.semel.replication.Completion;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.RoleView;
import dev.semel.server.replica.SetConfig;
import dev.semel.server.replica.SetMember;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who is to be primary, as far as the consensus engine does not know: the engine elects any voter that has everything. A
 * member that leads and must not be primary, because it is frozen or has priority 0, hands its office over; so does one
 * when a member with a higher priority has caught up. It also brings the engine's members to what the configuration says.
 */
final class Leadership {
    /** The engine prefers those that can be primary at all; the rest is decided here. */
    private static final int ELECTABLE = 1;

    private static final int NOT_ELECTABLE = 0;

    /** Who lacks no more than so many entries has caught up: the engine sends the rest before it hands over. */
    private static final long LAG_MAX = 16;

    private static final Duration TRANSFER_ATMOST = Duration.ofSeconds(2);
    private static final Duration QUESTION_ATMOST = Duration.ofMillis(300);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final SetOptions options;
    private final MemberClient client;
    private final RaftReplicaSet set;
    private final RaftCommitLog log;
    private final RoleLog roleLog;
    private final Supplier<ReplicationEngine> engine;
    private final LongSupplier nanoTime;

    private final Chore handOver;

    /** Not the same, because a member that is added may have to get all data, and another may have to take over meanwhile. */
    private final Chore memberChange;

    /** Changes of members that have failed since the last one was made: each is logged once. Of the chore. */
    private final Set<Membership> reported = new HashSet<>();

    private volatile long frozenUntilNanos;
    private volatile boolean isFrozen;

    Leadership(
            SetOptions options,
            MemberClient client,
            RaftReplicaSet set,
            RaftCommitLog log,
            RoleLog roleLog,
            Supplier<ReplicationEngine> engine,
            LongSupplier nanoTime) {
        this.options = options;
        this.client = client;
        this.set = set;
        this.log = log;
        this.roleLog = roleLog;
        this.engine = engine;
        this.nanoTime = nanoTime;
        this.handOver = new Chore("semel-leadership", this::improve, nanoTime);
        this.memberChange = new Chore("semel-members", this::changeMembers, nanoTime);
    }

    // ---- this member

    void freeze(Duration period) {
        frozenUntilNanos = nanoTime.getAsLong() + period.toNanos();
        isFrozen = period.isPositive();
        set.frozen(isFrozen);
    }

    boolean mayBePrimary() {
        thaw();
        SetMember self = set.self();
        return !isFrozen && self != null && self.isElectable();
    }

    /** A freeze ends by time, of which the others are told by {@code hello}. */
    void thaw() {
        if (isFrozen && frozenUntilNanos - nanoTime.getAsLong() <= 0) {
            isFrozen = false;
            set.frozen(false);
        }
    }

    // ---- from time to time, on the member that leads

    void tend() {
        handOver.begin();
        if (set.isWritablePrimary()) {
            memberChange.begin();
        }
    }

    /** False if something should have been done and could not. */
    private boolean improve() {
        SetMember self = set.self();
        double least = set.isWritablePrimary() && self != null ? self.priority() : 0;
        List<String> better = successors().stream()
                .filter(each -> each.priority() > least)
                .map(SetMember::host)
                .filter(each -> !isFrozen(each))
                .toList();
        return better.isEmpty() || transfer(better.getFirst(), TRANSFER_ATMOST);
    }

    /** Who could be primary now, the best one first. */
    private List<SetMember> successors() {
        RoleView role = engine.get().role();
        Map<String, Long> matches = new HashMap<>();
        long own = -1;
        for (RoleView.Progress each : role.progress()) {
            if (each.member().equals(options.self())) {
                own = each.matchIndex();
            } else if (each.silentMs() <= 2L * set.config().settings().electionTimeoutMillis()) {
                matches.put(each.member(), each.matchIndex());
            }
        }
        long enough = own - LAG_MAX;
        Set<String> voters =
                role.membership().voters().stream().map(Member::name).collect(Collectors.toSet());
        return set.config().members().stream()
                .filter(each -> each.isElectable() && voters.contains(each.host()))
                .filter(each -> matches.getOrDefault(each.host(), Long.MIN_VALUE) >= enough)
                .sorted(Comparator.comparingDouble(SetMember::priority)
                        .thenComparingLong(each -> matches.getOrDefault(each.host(), -1L))
                        .reversed())
                .toList();
    }

    private boolean isFrozen(String host) {
        try {
            RawDocument hello = client.hello(host, QUESTION_ATMOST);
            return hello.get(RaftReplicaSet.FROZEN) instanceof Value.Bool(boolean isFrozen) && isFrozen;
        } catch (IOException e) {
            // Clients would not reach it either.
            return true;
        }
    }

    /**
     * Whether this member does not lead any more: whoever of the others was elected. The engine asks a successor once, and says
     * at the end of its time if that was in vain, so it is asked several times.
     */
    boolean handOver(String first, Duration atMost) {
        long end = nanoTime.getAsLong() + atMost.toNanos();
        String successor = first;
        while (true) {
            Duration left = Duration.ofNanos(Math.max(1_000_000, end - nanoTime.getAsLong()));
            if (transfer(successor, left.compareTo(TRANSFER_ATMOST) < 0 ? left : TRANSFER_ATMOST) || !leads()) {
                return true;
            }
            if (end - nanoTime.getAsLong() <= 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
            successor = successors().stream()
                    .map(SetMember::host)
                    .filter(each -> !isFrozen(each))
                    .findFirst()
                    .orElse(successor);
        }
    }

    private boolean leads() {
        return engine.get().role().role() == RoleView.Role.LEADER;
    }

    /** Commits that are on their way are waited for first, so that none has to be taken back. */
    boolean transfer(String host, Duration atMost) {
        try {
            if (log.hold(atMost) && isDone(engine.get().transferLeadership(host, atMost))) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        log.goOn();
        return false;
    }

    // ---- the members of the engine

    /**
     * Voters are added one at a time, as the engine wants it: with most of them new, it would have to wait for those.
     * One that does not answer does not keep out the others.
     */
    private boolean changeMembers() {
        Membership wanted = membership(set.config());
        Membership present = engine.get().role().membership();
        if (wanted.isSameAs(present)) {
            return true;
        }
        Set<String> kept = wanted.all().map(Member::name).collect(Collectors.toSet());
        present.all().map(Member::name).filter(each -> !kept.contains(each)).forEach(this::awaitTold);
        Set<String> voting = present.voters().stream().map(Member::name).collect(Collectors.toSet());
        List<String> added = wanted.voters().stream()
                .map(Member::name)
                .filter(each -> !voting.contains(each))
                .toList();
        if (added.size() <= 1) {
            return changeMembers(wanted);
        }
        for (String each : added) {
            voting.add(each);
            if (!changeMembers(wanted.voting(voting))) {
                voting.remove(each);
            }
        }
        return voting.containsAll(added);
    }

    private boolean changeMembers(Membership next) {
        return switch (await(engine.get().changeMembers(next))) {
            case Completion.Done ignored -> {
                reported.clear();
                yield true;
            }
            case Completion.Failed(String reason) -> {
                if (reported.add(next)) {
                    roleLog.membersNotChanged(next, reason);
                }
                yield false;
            }
        };
    }

    /** A member that is removed gets nothing afterwards, so it must have the configuration that removes it, if it runs. */
    private void awaitTold(String removed) {
        long end = nanoTime.getAsLong() + TRANSFER_ATMOST.toNanos();
        while (takesItselfForMember(removed) && end - nanoTime.getAsLong() > 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private boolean takesItselfForMember(String host) {
        try {
            return client.hello(host, QUESTION_ATMOST).has("setName");
        } catch (IOException e) {
            // It does not run; when it does, it finds that the others have gone on without it.
            return false;
        }
    }

    static Membership membership(SetConfig config) {
        return new Membership(members(config, true), members(config, false));
    }

    private static List<Member> members(SetConfig config, boolean areVoters) {
        return config.members().stream()
                .filter(each -> each.isVoter() == areVoters)
                .map(each -> new Member(
                        each.host(),
                        SetOptions.host(each.host()),
                        SetOptions.replicationPort(each.host()),
                        each.isElectable() ? ELECTABLE : NOT_ELECTABLE))
                .toList();
    }

    private static boolean isDone(Future<Completion> completion) {
        return await(completion) instanceof Completion.Done;
    }

    private static Completion await(Future<Completion> completion) {
        try {
            return completion.get();
        } catch (ExecutionException e) {
            return new Completion.Failed(String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Completion.Failed("interrupted");
        }
    }

    // ---- at once, for an administrator

    /** Whether another member that may become primary answers. */
    boolean hasOther() {
        return set.config().members().stream()
                .filter(each -> each.isElectable() && !each.host().equals(options.self()))
                .anyMatch(each -> !isFrozen(each.host()));
    }

    /** Who has caught up, and may not take over. */
    List<String> barred() {
        return successors().stream().map(SetMember::host).filter(this::isFrozen).toList();
    }

    /** Waits for somebody who could take over now; null if there was nobody for so long. */
    @Nullable
    String awaitSuccessor(Duration atMost, Interruption interruption) {
        long end = nanoTime.getAsLong() + atMost.toNanos();
        while (true) {
            for (SetMember each : successors()) {
                if (!isFrozen(each.host())) {
                    return each.host();
                }
            }
            long left = end - nanoTime.getAsLong();
            if (left <= 0) {
                return null;
            }
            interruption.check();
            interruption.park(this, Math.min(left, LOOK_NANOS));
        }
    }

    /** Until this member is primary; whether it is before the time is over. */
    boolean stand(Duration atMost, Interruption interruption) {
        long end = nanoTime.getAsLong() + atMost.toNanos();
        long ask = nanoTime.getAsLong();
        while (!set.isWritablePrimary()) {
            long now = nanoTime.getAsLong();
            if (now - end >= 0) {
                return false;
            }
            if (now - ask >= 0) {
                // An election may be lost to another candidate, or this member may lack the newest entries.
                isDone(engine.get().stand());
                ask = now + RETRY_NANOS;
            }
            interruption.check();
            interruption.park(this, LOOK_NANOS);
        }
        return true;
    }

    /** Keeps others from moving leadership while this runs. */
    void alone(Runnable work, Interruption interruption) {
        handOver.instead(work, interruption);
    }
}
