package dev.semel.cluster;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a server that has no data and no set is told, so that it becomes a member of one. It goes to the port for members,
 * where both sides prove who they are if the set is told to.
 *
 * @param id of the consensus group, besides the name; empty for a set that was begun with all its members
 * @param host under which the set knows the new member
 * @param from the member that asks
 * @param isQuestion whether it is only asked if it could: nothing changes
 */
record Invitation(int format, String set, String id, String host, String from, boolean isQuestion) {
    /** Of the log and of checkpoints; rises when members of an older version could not read them. */
    static final int FORMAT = 1;

    private static final String COMMAND = "replSetJoin";
    private static final String QUESTION = "question";

    static Invitation parse(RawDocument command) {
        if (!(command.get("format") instanceof Value.Int32(int format))) {
            throw new CommandException(ErrorCode.FailedToParse, "not a %s: %s", COMMAND, command);
        }
        return new Invitation(
                format,
                text(command, "set"),
                text(command, "id"),
                text(command, "host"),
                text(command, "from"),
                command.get(QUESTION) instanceof Value.Bool(boolean isQuestion) && isQuestion);
    }

    private static String text(RawDocument command, String field) {
        if (command.get(field) instanceof Value.Str(var text)) {
            return text.toString();
        }
        throw new CommandException(ErrorCode.FailedToParse, "%s has no text '%s'", COMMAND, field);
    }

    RawDocument toDocument() {
        return new BsonWriter()
                .put(COMMAND, 1)
                .put("format", format)
                .put("set", set)
                .put("id", id)
                .put("host", host)
                .put("from", from)
                .put(QUESTION, isQuestion)
                .finish();
    }

    /** Returns when it has agreed; the {@link CommandException} says why it has not. */
    void send(@Nullable MemberSecurity security, Duration atMost) throws IOException {
        RawDocument answer = MemberClient.ask(host, security, toDocument(), atMost);
        if (answer.get("errmsg") instanceof Value.Str(var why)) {
            throw new CommandException(ErrorCode.NewReplicaSetConfigurationIncompatible, "%s", why);
        }
    }
}
