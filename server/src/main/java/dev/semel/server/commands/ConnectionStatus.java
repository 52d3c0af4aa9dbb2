package dev.semel.server.commands;

import dev.semel.server.auth.Identity;
import dev.semel.server.auth.User;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;

/** {@code connectionStatus}: who the client has proved to be, and what that allows. */
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
        Identity identity = call.client().identity();
        BsonWriter out = new BsonWriter().startDocument("authInfo").startArray("authenticatedUsers");
        if (identity != null) {
            out.startDocument();
            identity.name().writeTo(out);
            out.end();
        }
        out.end();
        if (identity == null) {
            out.startArray("authenticatedUserRoles").end();
        } else {
            User.writeRoles("authenticatedUserRoles", identity.roles(), out);
        }
        if (args.showPrivileges()) {
            out.startArray("authenticatedUserPrivileges");
            if (identity != null) {
                identity.privileges().writeTo(out);
            }
            out.end();
        }
        return Reply.of(out.end());
    }
}
