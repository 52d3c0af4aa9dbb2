package dev.semel.cluster;

import dev.semel.server.replica.Reconfiguration;
import dev.semel.server.replica.SetAdministration;
import dev.semel.server.replica.SetConfig;
import dev.semel.server.replica.SetMember;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What administrators ask of a set of several members, through this one. */
final class RaftAdministration implements SetAdministration {
    private static final Duration ELECTION_ATMOST = Duration.ofSeconds(10);

    /** Whoever stops the process does not wait for long; until it has ended, it is not elected again. */
    private static final Duration LAST_TRANSFER_ATMOST = Duration.ofSeconds(3);

    private static final StepDown LAST_STEP_DOWN = new StepDown(Duration.ofMinutes(1), Duration.ofSeconds(2), true);

    private final SetOptions options;
    private final MemberClient client;
    private final RaftReplicaSet set;
    private final Leadership leadership;
    private final Runnable giveUp;
    private final InstantSource clock;
    private final AtomicBoolean isChanging = new AtomicBoolean();

    /** @param giveUp ends what writes on this member */
    RaftAdministration(
            SetOptions options,
            MemberClient client,
            RaftReplicaSet set,
            Leadership leadership,
            Runnable giveUp,
            InstantSource clock) {
        this.options = options;
        this.client = client;
        this.set = set;
        this.leadership = leadership;
        this.giveUp = giveUp;
        this.clock = clock;
    }

    // ---- the configuration

    @Override
    public void initiate(RawDocument config, Interruption interruption) {
        throw new CommandException(ErrorCode.AlreadyInitialized, "already initialized");
    }

    @Override
    public void reconfigure(RawDocument document, boolean isForced, Interruption interruption) {
        if (!set.isWritablePrimary()) {
            throw new CommandException(
                    ErrorCode.NotWritablePrimary,
                    "New config is rejected :: caused by :: replSetReconfig should only be run on a writable PRIMARY."
                            + " Current state %s;%s",
                    set.view().isInMaintenance() ? "RECOVERING" : "SECONDARY",
                    isForced ? " a majority must agree even to a forced one" : "");
        }
        if (!isChanging.compareAndSet(false, true)) {
            throw new CommandException(
                    ErrorCode.ConfigurationInProgress,
                    "Cannot run replSetReconfig because the node is currently updating its configuration");
        }
        try {
            SetConfig next =
                    Reconfiguration.next(document, set.config(), set.view().term(), isForced);
            requireElectable(next);
            new NewMembers(options.self(), options.id(), client, options.security()).invite(next, set.config());
            set.stored().store(next, interruption);
        } finally {
            isChanging.set(false);
        }
    }

    private void requireElectable(SetConfig next) {
        SetMember self = next.member(options.self());
        if (self == null) {
            throw new CommandException(
                    ErrorCode.NewReplicaSetConfigurationIncompatible,
                    "No host described in new configuration with {version: %d, term: %d} for replica set %s maps to"
                            + " this node, %s: step down before it is removed",
                    next.version(),
                    next.term(),
                    next.name(),
                    options.self());
        }
        if (!self.isElectable()) {
            throw new CommandException(
                    ErrorCode.NewReplicaSetConfigurationIncompatible,
                    "This node, %s, with _id %d is not electable under the new configuration with {version: %d, term:"
                            + " %d} for replica set %s",
                    self.host(),
                    self.id(),
                    next.version(),
                    next.term(),
                    next.name());
        }
    }

    // ---- the office

    @Override
    public void stepDown(StepDown how, Interruption interruption) {
        if (!set.isWritablePrimary()) {
            throw new CommandException(ErrorCode.NotWritablePrimary, "not primary so can't step down");
        }
        leadership.alone(() -> stepDownAlone(how, ELECTION_ATMOST, interruption), interruption);
    }

    /** Before this member ends: another one takes over if one answers, even if this one has to wait until it has caught up. */
    void stepAside() {
        Interruption unlimited = Interruption.unlimited();
        leadership.alone(
                () -> {
                    if (set.isWritablePrimary() && leadership.hasOther()) {
                        stepDownAlone(LAST_STEP_DOWN, LAST_TRANSFER_ATMOST, unlimited);
                    }
                },
                unlimited);
    }

    private void stepDownAlone(StepDown how, Duration transferAtMost, Interruption interruption) {
        String successor = leadership.awaitSuccessor(how.catchUp(), interruption);
        if (successor == null && !how.isForced()) {
            throw new CommandException(
                    ErrorCode.ExceededTimeLimit,
                    "No electable secondaries caught up as of %s. Please use the replSetStepDown command with the"
                            + " argument {force: true} to force node to step down.%s",
                    clock.instant(),
                    barred(leadership.barred()));
        }
        leadership.freeze(how.period());
        set.notWritable();
        if (successor != null && !leadership.handOver(successor, transferAtMost) && !how.isForced()) {
            leadership.freeze(Duration.ZERO);
            throw new CommandException(
                    ErrorCode.ExceededTimeLimit, "%s did not become primary; this member goes on", successor);
        }
        giveUp.run();
    }

    /** MongoDB steps down then, and there is no primary until somebody's time is over. */
    private static String barred(List<String> hosts) {
        return hosts.isEmpty()
                ? ""
                : " These have caught up, and have stepped down themselves, are frozen, or do not answer: %s. A freeze ends"
                                .formatted(String.join(", ", hosts))
                        + " with its time, or by {replSetFreeze: 0} there.";
    }

    @Override
    public void stepUp(Interruption interruption) {
        if (set.isWritablePrimary()) {
            return;
        }
        if (!leadership.mayBePrimary() || !leadership.stand(ELECTION_ATMOST, interruption)) {
            throw new CommandException(ErrorCode.CommandFailed, "Election failed.");
        }
    }

    @Override
    public void freeze(Duration period) {
        requireSecondary("cannot freeze node when primary or running for election. state: Primary");
        leadership.freeze(period);
    }

    @Override
    public void maintenance(boolean isOn) {
        requireSecondary("primaries can't modify maintenance mode");
        if (!isOn && !set.view().isInMaintenance()) {
            throw new CommandException(ErrorCode.OperationFailed, "already out of maintenance mode");
        }
        set.maintenance(isOn);
    }

    private void requireSecondary(String otherwise) {
        if (set.isWritablePrimary()) {
            throw new CommandException(ErrorCode.NotSecondary, otherwise);
        }
    }
}
