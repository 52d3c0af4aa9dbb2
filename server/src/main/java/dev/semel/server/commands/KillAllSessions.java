package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.UserDigest;
import dev.semel.server.auth.UserName;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.session.Session;
import dev.semel.server.session.Sessions;
import dev.semel.wire.bson.RawDocument;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code killAllSessions}: ends the sessions of these users, all if none is named, with all that runs in them. The
 * session of a client that has not authenticated belongs to no user, so it is not found by naming users.
 */
final class KillAllSessions implements Command<KillAllSessions.Args> {
    private final Sessions sessions;

    /** Everybody's if there are none. */
    record Args(Set<UserDigest> owners) {}

    KillAllSessions(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public Spec spec() {
        return Spec.of("killAllSessions").needs(Rights.onCluster(Action.killAnySession));
    }

    @Override
    public Args parse(Arguments in) {
        List<RawDocument> users = in.documents("killAllSessions");
        Set<UserDigest> owners = new HashSet<>();
        for (RawDocument user : users) {
            Arguments fields = in.inner("killAllSessions", user);
            owners.add(new UserName(fields.requiredString("user"), fields.requiredString("db")).digest());
            fields.refuseUnknown();
        }
        return new Args(owners);
    }

    @Override
    public Reply run(Args args, Call call) {
        sessions.all().stream()
                .map(Session::id)
                .filter(each -> args.owners().isEmpty() || args.owners().contains(each.owner()))
                .forEach(sessions::kill);
        return Reply.ok();
    }
}
