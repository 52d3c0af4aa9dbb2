package dev.semel.server.commands;

import dev.semel.server.command.Call;
import dev.semel.server.session.OpenTransaction.Dialect;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** Results without an end have no place in a transaction, which sees nothing that comes later. */
final class Tails {
    private Tails() {}

    /** Of TokuMX's dialect; MongoDB's refuses them by its own rules. */
    static void refuseInside(Call call) {
        var inside = call.transaction();
        if (inside != null && inside.dialect() == Dialect.TOKUMX) {
            throw new CommandException(
                    ErrorCode.location(16812), "A tailable cursor cannot be opened within a transaction");
        }
    }
}
