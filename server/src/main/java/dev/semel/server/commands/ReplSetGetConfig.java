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
import dev.semel.wire.bson.BsonWriter;

/** {@code replSetGetConfig}: who belongs to the set. */
final class ReplSetGetConfig implements Command<ReplSetGetConfig.Args> {
    /** Nothing to say. */
    record Args() {}

    private final ReplicaSet replicaSet;

    ReplSetGetConfig(ReplicaSet replicaSet) {
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetGetConfig").with(Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.replSetGetConfig));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter(512);
        replicaSet.configuration(reply);
        return Reply.of(reply);
    }
}
