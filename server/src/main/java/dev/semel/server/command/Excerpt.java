package dev.semel.server.command;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;

/** A command as {@code currentOp} and the profiler show it: what is too large as the beginning of its text, as in MongoDB. */
public final class Excerpt {
    /** Where whole commands are wanted. */
    public static final int BYTES_MAX = 50 << 10;

    /** Where many are shown. */
    public static final int SHORT_BYTES_MAX = 1000;

    private Excerpt() {}

    public static RawDocument of(RawDocument command, int bytesMax) {
        if (command.length() <= bytesMax) {
            return command;
        }
        BsonWriter out = new BsonWriter().put("$truncated", Shell.text(command, bytesMax));
        Value comment = command.get("comment");
        if (comment instanceof Value.Str(var text) && text.length() <= bytesMax) {
            out.put("comment", comment);
        }
        return out.finish();
    }
}
