package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;

/** {@code connPoolStats}: the connections that this server has opened to others, of which there are none. */
final class ConnPoolStats implements Command<ConnPoolStats.Args> {
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("connPoolStats").needs(Rights.onCluster(Action.connPoolStats));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter out = new BsonWriter()
                .put("numClientConnections", 0)
                .put("numAScopedConnections", 0)
                .put("totalInUse", 0)
                .put("totalAvailable", 0)
                .put("totalLeased", 0)
                .put("totalCreated", 0)
                .put("totalRefreshing", 0);
        out.startDocument("pools").end();
        out.startDocument("hosts").end();
        return Reply.of(out);
    }
}
