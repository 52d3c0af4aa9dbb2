package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.status.Log;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;

/** {@code getLog}: the last lines of the log. */
final class GetLog implements Command<GetLog.Args> {
    record Args(String name) {}

    private final Log log;

    GetLog(Log log) {
        this.log = log;
    }

    @Override
    public Spec spec() {
        return Spec.of("getLog").with(Spec.Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.getLog));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.requiredString("getLog"));
    }

    @Override
    public Reply run(Args args, Call call) {
        return switch (args.name()) {
            case "*" ->
                Reply.of(new BsonWriter()
                        .startArray("names")
                        .add("global")
                        .add("startupWarnings")
                        .end());
            case "global" -> lines(log.global());
            case "startupWarnings" -> lines(log.startupWarnings());
            default -> throw new CommandException(ErrorCode.OperationFailed, "no RamLog named: %s", args.name());
        };
    }

    private static Reply lines(Log.Lines lines) {
        long total = lines.total();
        BsonWriter reply = new BsonWriter(4096)
                .put("totalLinesWritten", total > Integer.MAX_VALUE ? Value.of(total) : Value.of((int) total))
                .startArray("log");
        lines.last().forEach(reply::add);
        return Reply.of(reply.end());
    }
}
