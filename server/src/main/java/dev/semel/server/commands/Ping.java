package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;

/** {@code ping}: answers. */
final class Ping implements Command<Ping.Args> {
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("ping").with(Spec.Trait.HANDSHAKE, Spec.Trait.RESTARTABLE);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        return Reply.ok();
    }
}
