package dev.semel.query.filter;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/**
 * Why a document does not match a filter, in the form in which MongoDB explains it to the author of a validator. Nothing
 * is recorded while documents are matched: an explanation asks the filter again, part by part.
 */
public final class Mismatch {
    /** One for a reply, which may hold more than that. */
    private static final int BYTES_MAX = 12 << 20;

    /** Replies wrap it. */
    private static final int DEPTH_MAX = Limits.MESSAGE_DEPTH_MAX - 10;

    private final Filter filter;
    private final RawDocument specification;
    private final RawDocument document;
    private final int bytesMax;

    private Mismatch(Filter filter, RawDocument specification, RawDocument document, int bytesMax) {
        this.filter = filter;
        this.specification = specification;
        this.document = document;
        this.bytesMax = bytesMax;
    }

    /**
     * The document for {@code errInfo}.
     *
     * @param specification what the filter was read from
     */
    public static RawDocument explain(Filter filter, RawDocument specification, RawDocument document) {
        return explain(filter, specification, document, BYTES_MAX);
    }

    static RawDocument explain(Filter filter, RawDocument specification, RawDocument document, int bytesMax) {
        return new Mismatch(filter, specification, document, bytesMax).explain();
    }

    private RawDocument explain() {
        try {
            return attempt(false);
        } catch (CommandException e) {
            if (!e.code().equals(ErrorCode.BSONObjectTooLarge)) {
                return failed(e);
            }
        }
        try {
            return attempt(true);
        } catch (CommandException e) {
            return e.code().equals(ErrorCode.BSONObjectTooLarge)
                    ? begin().put("note", "detailed error was too large").finish()
                    : failed(e);
        }
    }

    private RawDocument failed(CommandException failure) {
        return begin().put("note", "failed to generate document validation error")
                .put("details", MismatchWriter.error(failure))
                .finish();
    }

    /** @param brief without what is as long as the validator or the document */
    private RawDocument attempt(boolean brief) {
        BsonWriter info = begin();
        if (brief) {
            info.put("truncated", true);
        }
        info.startDocument("details");
        MismatchWriter out = new MismatchWriter(info, bytesMax, brief);
        new FilterMismatch(document, out).explain(Clause.all(specification, filter), false);
        out.end();
        RawDocument explanation = info.finish();
        return isDeeper(explanation, DEPTH_MAX)
                ? new BsonWriter()
                        .put("reason", "generated error was too deeply nested")
                        .put("truncated", true)
                        .finish()
                : explanation;
    }

    private BsonWriter begin() {
        BsonWriter info = new BsonWriter();
        Value id = document.get("_id");
        return id == null ? info : info.put("failingDocumentId", id);
    }

    private static boolean isDeeper(RawDocument document, int levels) {
        if (levels == 0) {
            return true;
        }
        for (var at = document.cursor(); at.next(); ) {
            boolean isNested = at.type() == BsonType.DOCUMENT || at.type() == BsonType.ARRAY;
            if (isNested && isDeeper(RawDocument.view(document.array(), at.valueStart()), levels - 1)) {
                return true;
            }
        }
        return false;
    }
}
