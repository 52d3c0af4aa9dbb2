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

/** {@code replSetStepUp}: this member asks to be elected now. */
final class ReplSetStepUp implements Command<ReplSetStepUp.Args> {
    /** Nothing to say. */
    record Args() {}

    private final ReplicaSet replicaSet;

    ReplSetStepUp(ReplicaSet replicaSet) {
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetStepUp")
                .with(Trait.ADMIN_ONLY, Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.replSetStateChange));
    }

    @Override
    public Args parse(Arguments in) {
        in.ignored("skipDryRun");
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        replicaSet.administration().stepUp(call.interruption());
        return Reply.ok();
    }
}
