package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.session.Session;
import dev.semel.server.session.Sessions;
import java.util.Objects;

/** {@code killSessions}: ends these sessions with all that runs in them; all of the caller's user if none is named. */
final class KillSessions implements Command<SessionIds> {
    private final Sessions sessions;

    KillSessions(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public Spec spec() {
        return Spec.of("killSessions").needs(Rights.USERS);
    }

    @Override
    public SessionIds parse(Arguments in) {
        return SessionIds.parse(in, "killSessions");
    }

    @Override
    public Reply run(SessionIds args, Call call) {
        if (args.ids().isEmpty()) {
            sessions.all().stream()
                    .map(Session::id)
                    .filter(each -> Objects.equals(each.owner(), call.owner()))
                    .forEach(sessions::kill);
        } else {
            args.of(call).forEach(sessions::kill);
        }
        return Reply.ok();
    }
}
