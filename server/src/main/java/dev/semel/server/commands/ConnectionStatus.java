package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;

/** {@code connectionStatus}: who the client is. Without access control it is nobody, and may do everything. */
final class ConnectionStatus implements Command<ConnectionStatus.Args> {
    record Args(boolean showPrivileges) {}

    @Override
    public Spec spec() {
        return Spec.of("connectionStatus").with(Spec.Trait.HANDSHAKE);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.bool("showPrivileges", false));
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter out = new BsonWriter().startDocument("authInfo");
        out.startArray("authenticatedUsers").end();
        out.startArray("authenticatedUserRoles").end();
        if (args.showPrivileges()) {
            out.startArray("authenticatedUserPrivileges").end();
        }
        return Reply.of(out.end());
    }
}
