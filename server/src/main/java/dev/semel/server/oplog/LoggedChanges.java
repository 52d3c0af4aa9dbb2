package dev.semel.server.oplog;

import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * What an entry of the log holds. Its {@code op} is looked at before anything else: documents of clients may have fields
 * with the names of the log's own, and must not be taken for it.
 */
public final class LoggedChanges {
    private static final String COMMAND = "c";
    private static final String UPDATE = "u";

    private LoggedChanges() {}

    /** The changes, as an array, that an entry holds; null for one that is a change itself. */
    public static @Nullable RawDocument of(RawDocument entry) {
        if (!is(COMMAND, entry) || !(entry.get("o") instanceof Value.Doc(RawDocument command))) {
            return null;
        }
        Element first = command.first();
        return first != null && first.name().equals("applyOps") && first.value() instanceof Value.Array(RawDocument all)
                ? all
                : null;
    }

    /** What an update has changed; null if it was logged as a whole document, which, unlike a change, has an {@code _id}. */
    public static @Nullable RawDocument difference(RawDocument change) {
        return is(UPDATE, change)
                        && change.get("o") instanceof Value.Doc(RawDocument object)
                        && !object.has("_id")
                        && object.get("diff") instanceof Value.Doc(RawDocument difference)
                ? difference
                : null;
    }

    private static boolean is(String op, RawDocument change) {
        return change.get("op") instanceof Value.Str(Text text)
                && text.toString().equals(op);
    }
}
