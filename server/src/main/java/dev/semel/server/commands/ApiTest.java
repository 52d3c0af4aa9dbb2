package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;

/** {@code testVersion2} and the like: what tests of clients run to see what becomes of a command of some API version. */
final class ApiTest implements Command<ApiTest.Args> {
    record Args() {}

    private final String name;

    ApiTest(String name) {
        this.name = name;
    }

    @Override
    public Spec spec() {
        return Spec.of(name).with(Spec.Trait.IN_TRANSACTION).needs(Rights.ANYBODY);
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
