package dev.semel.server.changes;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A place in the log behind which a stream goes on, as clients keep it: {@code {_data: hex}}. The text of a later place is
 * greater. For example the first change of the entry {@code Timestamp(7, 1)} is
 * {@code 820000000700000001000000000000000000}: the mark 82, the time, the position in the entry, the kind, the fragment.
 *
 * @param time of the entry
 * @param position of the change in its entry; -1, which is the last one, behind everything up to this time
 * @param kind of several events that one change makes
 * @param fragment of an event that was sent in parts; 0 for one that was not
 */
record ResumeToken(long time, int position, Kind kind, int fragment) {
    private static final byte MARK = (byte) 0x82;
    private static final int BYTES = 1 + Long.BYTES + Integer.BYTES + 1 + Integer.BYTES;
    private static final int BEHIND_ALL = -1;

    enum Kind {
        EVENT,
        INVALIDATION
    }

    /** Behind everything up to a time, where perhaps nothing is. */
    static ResumeToken behind(long time) {
        return new ResumeToken(time, BEHIND_ALL, Kind.EVENT, 0);
    }

    static ResumeToken of(long time, int position, Kind kind) {
        return new ResumeToken(time, position, kind, 0);
    }

    ResumeToken part(int number) {
        return new ResumeToken(time, position, kind, number);
    }

    boolean isEvent() {
        return position != BEHIND_ALL;
    }

    static ResumeToken parse(RawDocument document) {
        if (!(document.get("_data") instanceof Value.Str(Text text))) {
            throw new CommandException(
                    ErrorCode.location(40647), "Bad resume token: _data of missing or of wrong type: %s", document);
        }
        byte[] bytes = bytes(text.toString());
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length == BYTES && in.get() == MARK) {
            long time = in.getLong();
            int position = in.getInt();
            int kind = in.get();
            int fragment = in.getInt();
            if (kind >= 0 && kind < Kind.values().length) {
                return new ResumeToken(time, position, Kind.values()[kind], fragment);
            }
        }
        boolean isForeign = bytes.length > BYTES && bytes[0] == MARK;
        // One of MongoDB's is of a history that is not here. Connectors take the other code for the end of a
        // collection.
        throw isForeign
                ? new CommandException(
                        ErrorCode.ChangeStreamHistoryLost,
                        "Resume of change stream was not possible, as the resume token was not made by this server: %s",
                        text)
                : new CommandException(ErrorCode.InvalidResumeToken, "The resume token is invalid: %s", text);
    }

    private static byte[] bytes(String hex) {
        try {
            return HexFormat.of().parseHex(hex);
        } catch (IllegalArgumentException e) {
            throw new CommandException(ErrorCode.FailedToParse, "resume token string was not a valid hex string");
        }
    }

    RawDocument toDocument() {
        byte[] bytes = ByteBuffer.allocate(BYTES)
                .put(MARK)
                .putLong(time)
                .putInt(position)
                .put((byte) kind.ordinal())
                .putInt(fragment)
                .array();
        return new BsonWriter(64)
                .put("_data", HexFormat.of().withUpperCase().formatHex(bytes))
                .finish();
    }
}
