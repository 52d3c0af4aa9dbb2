package dev.semel.server.once;

import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Deleted;
import dev.semel.server.once.StatementRecord.DeletedMany;
import dev.semel.server.once.StatementRecord.Failed;
import dev.semel.server.once.StatementRecord.Inserted;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.once.StatementRecord.UpdatedMany;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorDetails;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Statements and what became of them, as bytes: neighbours with the same outcome are one run, so that the insert of a
 * thousand documents takes a few bytes. Grows at its end; can go back to a state it had.
 */
final class StatementRuns {
    private static final int INSERTED = 0;
    private static final int DELETED_NOTHING = 1;
    private static final int DELETED_ONE = 2;
    private static final int UPDATED_NOTHING = 3;
    private static final int MATCHED = 4;
    private static final int MODIFIED = 5;
    private static final int UPSERTED = 6;
    private static final int ANSWERED = 7;
    private static final int UPDATED_MANY = 8;
    private static final int DELETED_MANY = 9;
    private static final int FAILED = 10;

    /** Kind and two numbers. */
    private static final int RUN_BYTES_MAX = 11;

    private byte[] bytes;
    private int length;

    /** The last run while it may still grow; -1 if there is none. */
    private int kind = -1;

    private int first;
    private int count;

    /** Where it may go back to. */
    record Mark(int length, int kind, int first, int count) {
        static final Mark EMPTY = new Mark(0, -1, 0, 0);
    }

    interface Visitor {
        /** Statements with these ids, one after the other, and what became of each. */
        void visit(int first, int count, StatementRecord record);
    }

    StatementRuns() {
        bytes = new byte[RUN_BYTES_MAX];
    }

    /** Goes on after what is stored; nothing of it grows any more. */
    StatementRuns(byte[] stored, int from) {
        bytes = Arrays.copyOfRange(stored, from, stored.length);
        length = bytes.length;
    }

    // ---- writing

    void add(int id, StatementRecord record) {
        int next = kind(record);
        if (next == kind && next < UPSERTED && id == first + count) {
            count++;
            return;
        }
        close();
        kind = next;
        first = id;
        count = 1;
        RawDocument document = document(record);
        if (document != null) {
            append(document);
        }
    }

    /** What the kind does not say; null if it says all. */
    private static @Nullable RawDocument document(StatementRecord record) {
        return switch (record) {
            case Inserted() -> null;
            case Deleted ignored -> null;
            case Updated(var matched, var modified, Value upserted) ->
                upserted == null ? null : new BsonWriter(32).put("", upserted).finish();
            case Answered(RawDocument reply) -> reply;
            case UpdatedMany(long matched, long modified) ->
                new BsonWriter(32).put("n", matched).put("nModified", modified).finish();
            case DeletedMany(long documents) ->
                new BsonWriter(32).put("n", documents).finish();
            case Failed(CommandException error, boolean ofUpdate) ->
                new BsonWriter()
                        .put("code", error.code().number())
                        .put("codeName", error.code().codeName())
                        .put("errmsg", error.text())
                        .put("details", error.details().fields())
                        .put("update", ofUpdate)
                        .finish();
        };
    }

    private static int kind(StatementRecord record) {
        return switch (record) {
            case Inserted() -> INSERTED;
            case Deleted(boolean found) -> found ? DELETED_ONE : DELETED_NOTHING;
            case Updated(boolean matched, boolean modified, var upserted) ->
                upserted != null ? UPSERTED : modified ? MODIFIED : matched ? MATCHED : UPDATED_NOTHING;
            case Answered ignored -> ANSWERED;
            case UpdatedMany ignored -> UPDATED_MANY;
            case DeletedMany ignored -> DELETED_MANY;
            case Failed ignored -> FAILED;
        };
    }

    private void append(RawDocument document) {
        close();
        reserve(document.length());
        System.arraycopy(document.array(), document.offset(), bytes, length, document.length());
        length += document.length();
    }

    private void close() {
        if (kind >= 0) {
            reserve(RUN_BYTES_MAX);
            length = put(bytes, length);
            kind = -1;
        }
    }

    private int put(byte[] to, int at) {
        to[at] = (byte) kind;
        return putNumber(to, putNumber(to, at + 1, first), count);
    }

    private static int putNumber(byte[] to, int start, int number) {
        int at = start;
        int rest = number;
        while ((rest & ~0x7F) != 0) {
            to[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        to[at++] = (byte) rest;
        return at;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    Mark mark() {
        return new Mark(length, kind, first, count);
    }

    void backTo(Mark mark) {
        length = mark.length;
        kind = mark.kind;
        first = mark.first;
        count = mark.count;
    }

    /** With room for as many other bytes before. */
    byte[] toBytes(int before) {
        byte[] all = new byte[before + length()];
        System.arraycopy(bytes, 0, all, before, length);
        if (kind >= 0) {
            put(all, before + length);
        }
        return all;
    }

    int length() {
        return length + (kind < 0 ? 0 : 1 + numberLength(first) + numberLength(count));
    }

    private static int numberLength(int number) {
        return number == 0 ? 1 : (38 - Integer.numberOfLeadingZeros(number)) / 7;
    }

    // ---- reading

    static void forEach(byte[] stored, int from, Visitor visitor) {
        int at = from;
        while (at < stored.length) {
            int kind = stored[at++];
            int first = number(stored, at);
            at += numberLength(first);
            int count = number(stored, at);
            at += numberLength(count);
            RawDocument document = RawDocument.EMPTY;
            if (kind >= UPSERTED) {
                document = RawDocument.view(stored, at);
                at += document.length();
            }
            visitor.visit(first, count, record(kind, document));
        }
    }

    private static int number(byte[] from, int start) {
        int number = 0;
        int at = start;
        for (int shift = 0; ; shift += 7) {
            byte next = from[at++];
            number |= (next & 0x7F) << shift;
            if (next >= 0) {
                return number;
            }
        }
    }

    private static StatementRecord record(int kind, RawDocument document) {
        return switch (kind) {
            case INSERTED -> StatementRecord.INSERTED;
            case DELETED_NOTHING -> new Deleted(false);
            case DELETED_ONE -> new Deleted(true);
            case UPDATED_NOTHING -> new Updated(false, false, null);
            case MATCHED -> new Updated(true, false, null);
            case MODIFIED -> new Updated(true, true, null);
            case UPSERTED -> new Updated(false, false, document.get(""));
            case ANSWERED -> new Answered(document);
            case UPDATED_MANY -> new UpdatedMany(count(document, "n"), count(document, "nModified"));
            case DELETED_MANY -> new DeletedMany(count(document, "n"));
            case FAILED -> failed(document);
            default -> throw new IllegalStateException("no statement is recorded as " + kind);
        };
    }

    private static long count(RawDocument document, String field) {
        return document.get(field) instanceof Value.Int64(long value) ? value : 0;
    }

    private static Failed failed(RawDocument document) {
        int number = document.get("code") instanceof Value.Int32(int value) ? value : 0;
        CommandException error = new CommandException(
                        new ErrorCode(number, text(document, "codeName")), text(document, "errmsg"))
                .withDetails(
                        document.get("details") instanceof Value.Doc(RawDocument details)
                                ? new ErrorDetails(details)
                                : ErrorDetails.NONE);
        return new Failed(error, document.get("update") instanceof Value.Bool(boolean update) && update);
    }

    private static String text(RawDocument document, String field) {
        return document.get(field) instanceof Value.Str(Text text) ? text.toString() : "";
    }
}
