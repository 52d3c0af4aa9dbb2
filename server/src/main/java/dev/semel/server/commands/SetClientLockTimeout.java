package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.session.OpenTransaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.time.Duration;

/** {@code setClientLockTimeout}: how long this connection waits for a lock, and the transaction that it has open. */
final class SetClientLockTimeout implements Command<Duration> {
    private static final ErrorCode NOT_A_TIME = ErrorCode.location(17356);

    @Override
    public Spec spec() {
        return Spec.of("setClientLockTimeout").needs(Rights.USERS);
    }

    @Override
    public Duration parse(Arguments in) {
        Value given = in.required("setClientLockTimeout");
        double millis = switch (given) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case Value.Double64(double number) -> number;
            default -> -1;
        };
        if (!(millis >= 0 && millis <= Integer.MAX_VALUE)) {
            throw new CommandException(
                    NOT_A_TIME, "setClientLockTimeout must be a number of milliseconds that is not negative");
        }
        return Duration.ofMillis((long) millis);
    }

    @Override
    public Reply run(Duration timeout, Call call) {
        int was = (int) call.client().lockTimeout().toMillis();
        call.client().lockTimeout(timeout);
        OpenTransaction inside = call.transaction();
        if (inside != null) {
            inside.transaction().lockTimeout(timeout);
        }
        return Reply.of(new BsonWriter().put("was", was));
    }
}
