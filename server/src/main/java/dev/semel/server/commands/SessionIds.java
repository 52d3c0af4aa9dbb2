package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.session.SessionId;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;

/** The list of sessions that a session command names in its first field. */
record SessionIds(List<SessionId> ids) {
    /** MongoDB's limit on one {@code endSessions} or {@code refreshSessions}. */
    private static final int MAX = 10_000;

    /** Sessions that a client names are those of its own user. */
    List<SessionId> of(Call call) {
        return ids.stream().map(each -> each.ownedBy(call.owner())).toList();
    }

    static SessionIds parse(Arguments in, String field) {
        List<SessionId> ids = new ArrayList<>();
        List<RawDocument> sessions = in.documents(field);
        if (sessions.size() > MAX) {
            throw new CommandException(
                    ErrorCode.BadValue, "Too many sessions in '%s': %d, limit %d", in.path(), sessions.size(), MAX);
        }
        for (RawDocument session : sessions) {
            ids.add(SessionId.parse(session, in.path()));
        }
        return new SessionIds(ids);
    }
}
