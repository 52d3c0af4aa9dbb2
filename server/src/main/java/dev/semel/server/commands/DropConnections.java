package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/** {@code dropConnections}: closes connections of this server to others. The only member of a set has none. */
final class DropConnections implements Command<DropConnections.Args> {
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("dropConnections").with(Spec.Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.dropConnections));
    }

    @Override
    public Args parse(Arguments in) {
        if (!(in.required("hostAndPort") instanceof Value.Array(RawDocument hosts))) {
            throw new CommandException(
                    ErrorCode.TypeMismatch,
                    "BSON field 'dropConnections.hostAndPort' is the wrong type, expected 'array'");
        }
        for (Element host : hosts) {
            if (!(host.value() instanceof Value.Str)) {
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "BSON field 'dropConnections.hostAndPort.%s' is the wrong type '%s', expected type 'string'",
                        host.name(),
                        host.value().type().alias());
            }
        }
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        return Reply.ok();
    }
}
