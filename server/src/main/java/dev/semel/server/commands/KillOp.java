package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Clients;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import java.util.List;
import java.util.Objects;

/** {@code killOp}: stops a running operation, as soon as it looks. No such operation is no error: it may just have ended. */
final class KillOp implements Command<KillOp.Args> {
    private final Clients clients;

    record Args(long operation) {}

    KillOp(Clients clients) {
        this.clients = clients;
    }

    @Override
    public Spec spec() {
        return Spec.of("killOp").with(Spec.Trait.ADMIN_ONLY).needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.requiredInteger("op"));
    }

    /** Users may stop their own operations. */
    @Override
    public List<Privilege> demands(Args args, Call call) {
        Call running = clients.running(args.operation());
        boolean isOwn = running != null && call.owner() != null && Objects.equals(running.owner(), call.owner());
        return isOwn ? List.of() : List.of(Privilege.onCluster(Action.killop));
    }

    @Override
    public Reply run(Args args, Call call) {
        Call running = clients.running(args.operation());
        if (running != null) {
            running.kill(new CommandException(ErrorCode.Interrupted, "operation was interrupted"));
        }
        return Reply.of(new BsonWriter().put("info", "attempting to kill op"));
    }
}
