package dev.semel.server.commands;

import dev.semel.server.command.Concerns;
import dev.semel.server.command.DefaultConcerns;
import dev.semel.server.command.ReadConcern;
import dev.semel.server.command.Reply;
import dev.semel.server.command.WriteConcern;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What {@code getDefaultRWConcern} and {@code setDefaultRWConcern} have in common. */
final class DefaultRwConcernReply {
    private DefaultRwConcernReply() {}

    static void refuseStandalone(ReplicaSet replicaSet, String command) {
        if (replicaSet.name() == null) {
            throw new CommandException(
                    ErrorCode.location(51300), "'%s' is not supported on standalone nodes.", command);
        }
    }

    static Reply of(DefaultConcerns.Stored stored, InstantSource clock) {
        ReadConcern read = stored.read() == null ? Concerns.DEFAULT.read() : stored.read();
        WriteConcern write = stored.write() == null ? Concerns.DEFAULT.write() : stored.write();
        BsonWriter out = new BsonWriter();
        out.startDocument("defaultReadConcern")
                .put("level", read.level().toString())
                .end();
        write.writeFields(out.startDocument("defaultWriteConcern"));
        out.end();
        for (String field : new String[] {"updateOpTime", "updateWallClockTime"}) {
            Value value = stored.document().get(field);
            if (value != null) {
                out.put(field, value);
            }
        }
        return Reply.of(out.put("defaultWriteConcernSource", source(stored.write()))
                .put("defaultReadConcernSource", source(stored.read()))
                .put("localUpdateWallClockTime", new Value.Date(clock.millis())));
    }

    private static String source(@Nullable Object set) {
        return set == null ? "implicit" : "global";
    }
}
