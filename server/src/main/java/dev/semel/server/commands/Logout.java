package dev.semel.server.commands;

import dev.semel.server.auth.Identity;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;

/** {@code logout}: the connection has no user from now on, if its user is one of this database. */
final class Logout implements Command<Logout.Args> {
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("logout").with(Trait.HANDSHAKE);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        Identity identity = call.client().identity();
        if (identity != null && identity.name().database().equals(call.database())) {
            call.client().identity(null);
        }
        return Reply.ok();
    }
}
