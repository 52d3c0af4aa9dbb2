package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.session.Sessions;

/** {@code endSessions}: the client needs these sessions no more; their cursors are closed. */
final class EndSessions implements Command<SessionIds> {
    private final Sessions sessions;

    EndSessions(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public Spec spec() {
        return Spec.of("endSessions").needs(Rights.USERS);
    }

    @Override
    public SessionIds parse(Arguments in) {
        return SessionIds.parse(in, "endSessions");
    }

    @Override
    public Reply run(SessionIds args, Call call) {
        args.of(call).forEach(sessions::end);
        return Reply.ok();
    }
}
