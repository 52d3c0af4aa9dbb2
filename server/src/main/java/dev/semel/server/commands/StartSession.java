package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.session.Session;
import dev.semel.server.session.Sessions;
import dev.semel.wire.bson.BsonWriter;

/** {@code startSession}: a logical session with an id of the server's choice. */
final class StartSession implements Command<StartSession.Args> {
    private final Sessions sessions;

    record Args() {}

    StartSession(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public Spec spec() {
        return Spec.of("startSession").needs(Rights.USERS);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        Session session = sessions.start(call.client().owner());
        return Reply.of(new BsonWriter().put("id", session.id().toDocument()).put("timeoutMinutes", (int)
                sessions.timeout().toMinutes()));
    }
}
