package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.SetAdministration;
import dev.semel.server.replica.SetAdministration.StepDown;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;

/** {@code replSetStepDown}: the primary steps down, and does not become primary again for some time. */
final class ReplSetStepDown implements Command<StepDown> {
    private static final long CATCH_UP_SECS = 10;

    private final ReplicaSet replicaSet;

    ReplSetStepDown(ReplicaSet replicaSet) {
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetStepDown")
                .with(Trait.ADMIN_ONLY, Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.replSetStateChange));
    }

    @Override
    public StepDown parse(Arguments in) {
        boolean isForced = in.bool("force", false);
        long period = in.requiredInteger("replSetStepDown");
        long catchUp = in.integer("secondaryCatchUpPeriodSecs", isForced ? 0 : CATCH_UP_SECS);
        if (period < 1) {
            throw new CommandException(ErrorCode.BadValue, "stepdown period must be a positive integer");
        }
        if (catchUp < 0) {
            throw new CommandException(
                    ErrorCode.BadValue, "secondaryCatchUpPeriodSecs period must be a positive or absent");
        }
        if (period < catchUp) {
            throw new CommandException(
                    ErrorCode.BadValue, "stepdown period must be longer than secondaryCatchUpPeriodSecs");
        }
        return new StepDown(
                Duration.ofSeconds(Math.min(period, SetAdministration.PERIOD_SECS_MAX)),
                Duration.ofSeconds(Math.min(catchUp, SetAdministration.PERIOD_SECS_MAX)),
                isForced);
    }

    @Override
    public Reply run(StepDown args, Call call) {
        replicaSet.administration().stepDown(args, call.interruption());
        return Reply.ok();
    }
}
