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
import dev.semel.wire.bson.RawDocument;

/** {@code replSetReconfig}: changes who belongs to the set, and as what. */
final class ReplSetReconfig implements Command<ReplSetReconfig.Args> {
    record Args(RawDocument config, boolean isForced) {}

    private final ReplicaSet replicaSet;

    ReplSetReconfig(ReplicaSet replicaSet) {
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetReconfig")
                .with(Trait.ADMIN_ONLY, Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.replSetConfigure));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.requiredDocument("replSetReconfig"), in.bool("force", false));
    }

    @Override
    public Reply run(Args args, Call call) {
        replicaSet.administration().reconfigure(args.config(), args.isForced(), call.interruption());
        return Reply.ok();
    }
}
