package dev.semel.server.command;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;

/** A command as {@code currentOp} and the profiler show it: what is too large as the beginning of its text, as in MongoDB. */
public final class Excerpt {
    /** Where whole commands are wanted. */
    public static final int BYTES_MAX = 50 << 10;

    /** Where many are shown. */
    public static final int SHORT_BYTES_MAX = 1000;

    private Excerpt() {}

    /** Whether a value is shown beside the beginning of the command that has it. */
    static boolean isShort(Value value) {
        return switch (value) {
            case Value.Str(Text text) -> text.length() <= SHORT_BYTES_MAX;
            case Value.Doc(RawDocument document) -> document.length() <= SHORT_BYTES_MAX;
            case Value.Array(RawDocument elements) -> elements.length() <= SHORT_BYTES_MAX;
            case Value.Binary binary -> binary.bytes().length <= SHORT_BYTES_MAX;
            case Value.Code ignored -> false;
            case Value.CodeWithScope ignored -> false;
            case Value.Symbol ignored -> false;
            case Value.Regex ignored -> false;
            case Value.DbPointer ignored -> false;
            default -> true;
        };
    }

    public static RawDocument of(RawDocument command, int bytesMax) {
        if (command.length() <= bytesMax) {
            return command;
        }
        BsonWriter out = new BsonWriter().put("$truncated", Shell.text(command, bytesMax));
        Value comment = command.get("comment");
        if (comment != null && isShort(comment)) {
            out.put("comment", comment);
        }
        return out.finish();
    }
}
