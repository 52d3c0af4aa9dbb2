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

/** {@code replSetGetStatus}: the members and how far each is. */
final class ReplSetGetStatus implements Command<ReplSetGetStatus.Args> {
    /** Nothing to say. */
    record Args() {}

    private final ReplicaSet replicaSet;

    ReplSetGetStatus(ReplicaSet replicaSet) {
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetGetStatus").with(Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.replSetGetStatus));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter(1024);
        replicaSet.status(reply);
        return Reply.of(reply);
    }
}
