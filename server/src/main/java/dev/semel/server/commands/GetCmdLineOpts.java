package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.status.ProcessInfo;
import dev.semel.wire.bson.BsonWriter;

/** {@code getCmdLineOpts}: how the server was started. */
final class GetCmdLineOpts implements Command<GetCmdLineOpts.Args> {
    /** Nothing to say. */
    record Args() {}

    private final ProcessInfo process;

    GetCmdLineOpts(ProcessInfo process) {
        this.process = process;
    }

    @Override
    public Spec spec() {
        return Spec.of("getCmdLineOpts").with(Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.getCmdLineOpts));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter().startArray("argv");
        process.arguments().forEach(reply::add);
        return Reply.of(reply.end().put("parsed", process.options()));
    }
}
