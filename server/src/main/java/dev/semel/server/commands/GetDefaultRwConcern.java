package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.DefaultConcerns;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.replica.ReplicaSet;
import java.time.InstantSource;

/** {@code getDefaultRWConcern}: what applies to commands that name no concern. */
final class GetDefaultRwConcern implements Command<GetDefaultRwConcern.Args> {
    private final DefaultConcerns defaults;
    private final ReplicaSet replicaSet;
    private final InstantSource clock;

    record Args(boolean inMemory) {}

    GetDefaultRwConcern(DefaultConcerns defaults, ReplicaSet replicaSet, InstantSource clock) {
        this.defaults = defaults;
        this.replicaSet = replicaSet;
        this.clock = clock;
    }

    @Override
    public Spec spec() {
        return Spec.of("getDefaultRWConcern")
                .with(Spec.Trait.ADMIN_ONLY)
                .needs(Rights.onCluster(Action.getDefaultRWConcern));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.bool("inMemory", false));
    }

    @Override
    public Reply run(Args args, Call call) {
        DefaultRwConcernReply.refuseStandalone(replicaSet, "getDefaultRWConcern");
        return DefaultRwConcernReply.of(args.inMemory() ? defaults.stored() : defaults.read(), clock);
    }
}
