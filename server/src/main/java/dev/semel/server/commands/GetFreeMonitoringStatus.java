package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.wire.bson.BsonWriter;

/** {@code getFreeMonitoringStatus}: old shells ask for it on connecting; there is no such service. */
final class GetFreeMonitoringStatus implements Command<GetFreeMonitoringStatus.Args> {
    /** Nothing to say. */
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("getFreeMonitoringStatus")
                .with(Trait.ADMIN_ONLY)
                .needs(Rights.onCluster(Action.checkFreeMonitoringStatus));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        return Reply.of(new BsonWriter().put("state", "disabled"));
    }
}
