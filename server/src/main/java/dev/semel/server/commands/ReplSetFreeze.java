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
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import java.time.Duration;

/** {@code replSetFreeze}: this member does not become primary for some seconds. */
final class ReplSetFreeze implements Command<ReplSetFreeze.Args> {
    /** @param seconds 0 ends it */
    record Args(long seconds) {}

    private final ReplicaSet replicaSet;

    ReplSetFreeze(ReplicaSet replicaSet) {
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetFreeze")
                .with(Trait.ADMIN_ONLY, Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.replSetStateChange));
    }

    @Override
    public Args parse(Arguments in) {
        long seconds = in.requiredInteger("replSetFreeze");
        if (seconds < 0) {
            throw new CommandException(ErrorCode.BadValue, "the period must not be negative");
        }
        return new Args(Math.min(seconds, SetAdministration.PERIOD_SECS_MAX));
    }

    @Override
    public Reply run(Args args, Call call) {
        replicaSet.administration().freeze(Duration.ofSeconds(args.seconds()));
        return args.seconds() == 0 ? Reply.of(new BsonWriter().put("info", "unfreezing")) : Reply.ok();
    }
}
