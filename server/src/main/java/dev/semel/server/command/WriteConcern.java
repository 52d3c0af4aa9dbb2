package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of a write before its reply leaves.
 *
 * @param nodes how many members must have it; {@link #MAJORITY} for a majority, {@link #MODE} for a named mode
 * @param mode the name of a custom mode, null otherwise
 * @param journal the {@code j} field, null if it was not given
 * @param timeoutMs how long to wait for other members; 0 for ever
 * @param provenance who said so
 */
public record WriteConcern(
        int nodes, @Nullable String mode, @Nullable Boolean journal, long timeoutMs, Provenance provenance) {
    /** Who said what must be true, by the names that errors show. */
    public enum Provenance {
        clientSupplied,
        customDefault,
        implicitDefault
    }

    public static final int MAJORITY = -1;
    public static final int MODE = -2;

    /** Far more than anybody gives a name. */
    private static final int MODE_BYTES_MAX = 1024;

    /** Also the most members a replica set may have. */
    private static final int NODES_MAX = 50;

    /** As in MongoDB since 5.0: what is acknowledged is safe unless the client says that it need not be. */
    public static final WriteConcern DEFAULT = new WriteConcern(MAJORITY, null, null, 0, Provenance.implicitDefault);

    static WriteConcern parse(Arguments command, WriteConcern otherwise) {
        RawDocument document = command.optionalDocument("writeConcern");
        // An empty document asks for the default.
        return document == null || document.isEmpty() ? otherwise : parse(document, otherwise);
    }

    public static WriteConcern parse(RawDocument document, WriteConcern otherwise) {
        int nodes = otherwise.nodes;
        String mode = otherwise.mode;
        Boolean journal = null;
        long timeoutMs = 0;
        for (var at = document.cursor(); at.next(); ) {
            Value value = at.value();
            switch (at.name()) {
                case "w" -> {
                    nodes = nodes(value);
                    mode = nodes == MODE && value instanceof Value.Str(var text) ? text.toString() : null;
                }
                case "j", "fsync" -> journal = truth(at.name(), value);
                case "wtimeout" -> timeoutMs = Math.max(0, number("wtimeout", value));
                case "provenance" -> {}
                default ->
                    throw new CommandException(
                            ErrorCode.FailedToParse, "unrecognized write concern field: %s", at.name());
            }
        }
        return new WriteConcern(nodes, mode, journal, timeoutMs, Provenance.clientSupplied);
    }

    private static int nodes(Value value) {
        if (value instanceof Value.Str(var text)) {
            if (text.length() > MODE_BYTES_MAX) {
                throw new CommandException(
                        ErrorCode.FailedToParse, "w is the name of no write concern: it has %d bytes", text.length());
            }
            return text.toString().equals("majority") ? MAJORITY : MODE;
        }
        if (value instanceof Value.Doc) {
            throw new CommandException(ErrorCode.NotImplemented, "'writeConcern.w' with tags is not supported");
        }
        if (!value.type().isNumber()) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "w has to be a number, string, or object; found: %s",
                    value.type().alias());
        }
        long number = number("w", value);
        if (number < 0 || number > NODES_MAX) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "w has to be a non-negative number and not greater than %d; found: %d",
                    NODES_MAX,
                    number);
        }
        return (int) number;
    }

    private static boolean truth(String field, Value value) {
        return switch (value) {
            case Value.Bool(boolean bool) -> bool;
            default -> number(field, value) != 0;
        };
    }

    private static long number(String field, Value value) {
        return switch (value) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case Value.Double64(double number) -> (long) number;
            default ->
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "%s must be numeric or a boolean value, found: %s",
                        field,
                        value.type().alias());
        };
    }

    /**
     * False if the client wants no answer, or one that leaves even while a power loss could still undo the write. Other members
     * have nothing that is not durable, so who waits for them waits for that first.
     */
    public boolean isDurable() {
        return switch (nodes) {
            case 0 -> Boolean.TRUE.equals(journal);
            case 1 -> journal == null || journal;
            default -> true;
        };
    }

    public boolean isGiven() {
        return provenance == Provenance.clientSupplied;
    }

    /** The same as what applies to commands that say nothing. */
    public WriteConcern asDefault() {
        return new WriteConcern(nodes, mode, journal, timeoutMs, Provenance.customDefault);
    }

    public void writeTo(BsonWriter out) {
        writeFields(out.startDocument("writeConcern"));
        out.put("provenance", provenance.name()).end();
    }

    /** As {@code getDefaultRWConcern} shows it. */
    public void writeFields(BsonWriter out) {
        switch (nodes) {
            case MAJORITY -> out.put("w", "majority");
            case MODE -> out.put("w", mode == null ? "" : mode);
            default -> out.put("w", nodes);
        }
        if (journal != null) {
            out.put("j", journal);
        }
        out.put("wtimeout", (int) Math.min(timeoutMs, Integer.MAX_VALUE));
    }
}
