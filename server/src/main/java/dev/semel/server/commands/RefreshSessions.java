package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.session.Sessions;

/** {@code refreshSessions}: the client still needs these sessions, used or not. */
final class RefreshSessions implements Command<SessionIds> {
    private final Sessions sessions;

    RefreshSessions(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public Spec spec() {
        return Spec.of("refreshSessions").needs(Rights.USERS);
    }

    @Override
    public SessionIds parse(Arguments in) {
        return SessionIds.parse(in, "refreshSessions");
    }

    @Override
    public Reply run(SessionIds args, Call call) {
        args.of(call).forEach(sessions::use);
        return Reply.ok();
    }
}
