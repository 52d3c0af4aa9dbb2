package dev.semel.server.statement;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;

/**
 * What a document must be before it is stored, and what is added to it: an {@code _id}, which comes first; the time where
 * a field of the outermost level is an empty timestamp, if that is wanted. Refused are an {@code _id} of a type that
 * cannot be one, nesting and size beyond the limits.
 */
public final class NewDocuments {
    private static final byte[] ID = "_id".getBytes(StandardCharsets.UTF_8);

    private final ObjectIds ids;
    private final Timestamps timestamps;

    public NewDocuments(ObjectIds ids, Timestamps timestamps) {
        this.ids = ids;
        this.timestamps = timestamps;
    }

    /**
     * Complete and checked, and independent of the message that it came in.
     *
     * @param keepsEmptyTimestamps whether those of the outermost level do not become the time
     */
    public RawDocument complete(RawDocument sent, boolean keepsEmptyTimestamps) {
        int idAt = -1;
        boolean needsTime = false;
        boolean first = true;
        boolean idFirst = false;
        for (ElementCursor at = sent.cursor(); at.next(); first = false) {
            if (at.nameIs(ID)) {
                if (idAt >= 0) {
                    throw new CommandException(ErrorCode.BadValue, "can't have multiple _id fields in one document");
                }
                idAt = at.elementStart();
                idFirst = first;
                checkId(at);
            } else {
                needsTime |= !keepsEmptyTimestamps && isEmptyTimestamp(at);
            }
        }
        RawDocument stored = idFirst && !needsTime ? sent.detached() : rebuild(sent, idAt >= 0, needsTime);
        BsonValidation.checkStorable(stored);
        return stored;
    }

    private RawDocument rebuild(RawDocument sent, boolean hasId, boolean needsTime) {
        BsonWriter out = new BsonWriter(sent.length() + 32);
        if (!hasId) {
            out.put("_id", Value.of(ids.next()));
        } else {
            for (ElementCursor at = sent.cursor(); at.next(); ) {
                if (at.nameIs(ID)) {
                    out.copy(at);
                }
            }
        }
        for (ElementCursor at = sent.cursor(); at.next(); ) {
            if (at.nameIs(ID)) {
                continue;
            }
            if (needsTime && isEmptyTimestamp(at)) {
                out.put(at.nameText(), timestamps.next());
            } else {
                out.copy(at);
            }
        }
        return out.finish();
    }

    private static boolean isEmptyTimestamp(ElementCursor at) {
        return at.type() == BsonType.TIMESTAMP && at.value() instanceof Value.Timestamp(long value) && value == 0;
    }

    // ---- what is refused

    private static void checkId(ElementCursor at) {
        switch (at.type()) {
            case ARRAY, REGEX, UNDEFINED ->
                throw new CommandException(
                        ErrorCode.InvalidIdField,
                        "The '_id' value cannot be of type %s",
                        at.type().alias());
            case DOCUMENT -> checkIdFields(RawDocument.view(at.array(), at.valueStart()));
            default -> {}
        }
    }

    private static void checkIdFields(RawDocument id) {
        for (ElementCursor at = id.cursor(); at.next(); ) {
            if (at.array()[at.elementStart() + 1] == '$') {
                throw new CommandException(
                        ErrorCode.DollarPrefixedFieldName,
                        "_id fields may not contain '$'-prefixed fields: %s is not valid for storage.",
                        at.name());
            }
            if (at.type() == BsonType.DOCUMENT || at.type() == BsonType.ARRAY) {
                checkIdFields(RawDocument.view(at.array(), at.valueStart()));
            }
        }
    }
}
