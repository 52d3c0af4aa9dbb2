package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;

/** {@code whatsmyuri}: the address under which the server sees its client. */
final class WhatsMyUri implements Command<WhatsMyUri.Args> {
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("whatsmyuri").with(Spec.Trait.HANDSHAKE);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        return Reply.of(new BsonWriter().put("you", call.client().remote()));
    }
}
