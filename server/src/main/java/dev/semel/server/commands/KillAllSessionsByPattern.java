package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionId;
import dev.semel.server.session.Sessions;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;

/** {@code killAllSessionsByPattern}: ends the sessions of these ids with all that runs in them; all if none is given. */
final class KillAllSessionsByPattern implements Command<KillAllSessionsByPattern.Args> {
    private final Sessions sessions;

    /** All sessions if a pattern is empty or there is none. */
    record Args(boolean all, List<SessionId> ids) {}

    KillAllSessionsByPattern(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public Spec spec() {
        return Spec.of("killAllSessionsByPattern").needs(Rights.onCluster(Action.killAnySession));
    }

    @Override
    public Args parse(Arguments in) {
        List<RawDocument> patterns = in.documents("killAllSessionsByPattern");
        List<SessionId> ids = new ArrayList<>();
        boolean all = patterns.isEmpty();
        for (RawDocument pattern : patterns) {
            Arguments fields = in.inner("killAllSessionsByPattern", pattern);
            RawDocument lsid = fields.optionalDocument("lsid");
            fields.notHonoured("uid", "users", "roles");
            fields.refuseUnknown();
            if (lsid == null) {
                all = true;
            } else {
                ids.add(SessionId.parse(lsid, "killAllSessionsByPattern.lsid"));
            }
        }
        return new Args(all, ids);
    }

    @Override
    public Reply run(Args args, Call call) {
        if (args.all()) {
            sessions.all().stream().map(Session::id).forEach(sessions::kill);
        } else {
            args.ids().forEach(each -> sessions.kill(each.ownedBy(call.owner())));
        }
        return Reply.ok();
    }
}
