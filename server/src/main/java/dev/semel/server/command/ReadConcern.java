package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/**
 * What a read may see. Times are cluster times, 0 if not given.
 *
 * @param isGiven whether the client said so, or this is the default
 */
public record ReadConcern(Level level, long afterClusterTime, long atClusterTime, boolean isGiven) {
    public static final ReadConcern LOCAL = new ReadConcern(Level.LOCAL, 0, 0, false);

    /** From the weakest promise to the strongest. */
    public enum Level {
        AVAILABLE("available"),
        LOCAL("local"),
        MAJORITY("majority"),
        SNAPSHOT("snapshot"),
        LINEARIZABLE("linearizable");

        private final String text;

        Level(String text) {
            this.text = text;
        }

        /** Whether what was read must be safe from a power loss before it is shown. */
        public boolean isDurable() {
            return compareTo(MAJORITY) >= 0;
        }

        @Override
        public String toString() {
            return text;
        }

        static Level parse(String text) {
            for (Level level : values()) {
                if (level.text.equals(text)) {
                    return level;
                }
            }
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Enumeration value '%s' for field 'readConcern.level' is not a valid value.",
                    text);
        }
    }

    /** The same as what applies to commands that say nothing. */
    ReadConcern asDefault() {
        return new ReadConcern(level, 0, 0, false);
    }

    static ReadConcern parse(Arguments command, ReadConcern otherwise) {
        RawDocument document = command.optionalDocument("readConcern");
        return document == null ? otherwise : parse(command.inner("readConcern", document), otherwise.level);
    }

    /** The fields of a {@code readConcern}; without a level it has the default one. */
    public static ReadConcern parse(Arguments in, Level defaultLevel) {
        String level = in.string("level");
        long after = time(in, "afterClusterTime");
        long at = time(in, "atClusterTime");
        // Says where a concern came from; drivers do not send it, other servers do.
        in.ignored("provenance");
        in.notHonoured("afterOpTime");
        in.refuseUnknown();
        Level chosen = level == null ? defaultLevel : Level.parse(level);
        if (after != 0 && at != 0) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "Can not specify both afterClusterTime and atClusterTime in readConcern");
        }
        if (at != 0 && chosen != Level.SNAPSHOT) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "readConcern.atClusterTime field can be set only if readConcern.level is equal to snapshot");
        }
        if (after != 0 && (chosen == Level.AVAILABLE || chosen == Level.LINEARIZABLE)) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "readConcern.afterClusterTime field can be set only if readConcern.level is equal to majority,"
                            + " local, or snapshot");
        }
        return new ReadConcern(chosen, after, at, level != null || after != 0 || at != 0);
    }

    private static long time(Arguments in, String field) {
        return switch (in.optional(field)) {
            case null -> 0;
            case Value.Timestamp(long value)
            when value == 0 ->
                throw new CommandException(ErrorCode.InvalidOptions, "%s cannot be a null timestamp", field);
            case Value.Timestamp(long value) -> value;
            case Value other -> throw in.wrongType(field, other, "'timestamp'");
        };
    }
}
