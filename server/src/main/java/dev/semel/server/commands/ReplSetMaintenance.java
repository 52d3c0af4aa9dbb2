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

/** {@code replSetMaintenance}: clients do not read from this member while it is on. */
final class ReplSetMaintenance implements Command<ReplSetMaintenance.Args> {
    record Args(boolean isOn) {}

    private final ReplicaSet replicaSet;

    ReplSetMaintenance(ReplicaSet replicaSet) {
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetMaintenance")
                .with(Trait.ADMIN_ONLY, Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.replSetStateChange));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.bool("replSetMaintenance", false));
    }

    @Override
    public Reply run(Args args, Call call) {
        replicaSet.administration().maintenance(args.isOn());
        return Reply.ok();
    }
}
