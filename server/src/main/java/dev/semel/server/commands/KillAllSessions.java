package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.session.Session;
import dev.semel.server.session.Sessions;
import dev.semel.wire.bson.RawDocument;
import java.util.List;

/**
 * {@code killAllSessions}: ends the sessions of these users, all if none is named, with all that runs in them. Without
 * access control every session is nobody's, so that naming users finds none.
 */
final class KillAllSessions implements Command<KillAllSessions.Args> {
    private final Sessions sessions;

    record Args(boolean everybody) {}

    KillAllSessions(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public Spec spec() {
        return Spec.of("killAllSessions");
    }

    @Override
    public Args parse(Arguments in) {
        List<RawDocument> users = in.documents("killAllSessions");
        for (RawDocument user : users) {
            Arguments fields = in.inner("killAllSessions", user);
            fields.requiredString("user");
            fields.requiredString("db");
            fields.refuseUnknown();
        }
        return new Args(users.isEmpty());
    }

    @Override
    public Reply run(Args args, Call call) {
        if (args.everybody()) {
            sessions.all().stream().map(Session::id).forEach(sessions::kill);
        }
        return Reply.ok();
    }
}
