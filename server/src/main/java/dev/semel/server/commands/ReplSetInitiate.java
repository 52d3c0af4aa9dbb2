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
import dev.semel.wire.bson.Value;

/** {@code replSetInitiate}: makes a server the first member of a set. */
final class ReplSetInitiate implements Command<ReplSetInitiate.Args> {
    /** An empty configuration: the server is the only member. */
    record Args(RawDocument config) {}

    private final ReplicaSet replicaSet;

    ReplSetInitiate(ReplicaSet replicaSet) {
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetInitiate")
                .with(Trait.ADMIN_ONLY, Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.replSetConfigure));
    }

    @Override
    public Args parse(Arguments in) {
        // The shell sends an empty document or 1 if its user names no members.
        return new Args(
                in.optional("replSetInitiate") instanceof Value.Doc(RawDocument config) ? config : RawDocument.EMPTY);
    }

    @Override
    public Reply run(Args args, Call call) {
        replicaSet.administration().initiate(args.config(), call.interruption());
        return Reply.ok();
    }
}
