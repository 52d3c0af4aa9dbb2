package dev.semel.server.command;

import dev.semel.server.auth.UserDigest;
import dev.semel.server.once.Token;
import dev.semel.server.once.TokenUse;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * {@code comment: {once: ...}}: the token of a write command. A comment is what every driver lets its callers pass, and
 * passes on unchanged. Any other comment is only that.
 */
public final class OnceComment {
    private static final String FIELD = "once";

    private static final long KEEP_SECS_MAX = 366 * 86_400;

    private OnceComment() {}

    /** Null if the command has no token. */
    static @Nullable TokenUse parse(Arguments in, @Nullable Value comment, Spec spec, @Nullable UserDigest owner) {
        if (!(comment instanceof Value.Doc(RawDocument fields)) || !fields.has(FIELD)) {
            return null;
        }
        if (!spec.is(Spec.Trait.RETRYABLE)) {
            // Reading twice does no harm, and a getMore has the comment of what opened its cursor.
            if (spec.is(Spec.Trait.WRITES) && !spec.is(Spec.Trait.ENDS_TRANSACTION)) {
                throw refused(spec);
            }
            return null;
        }
        Arguments inner = in.inner("comment", fields);
        inner.mentions(FIELD);
        Token token = Token.parse(owner, fields.get(FIELD), inner.path() + "." + FIELD);
        Duration keep = keep(inner, "keepSeconds");
        inner.refuseUnknown();
        return new TokenUse(token, keep);
    }

    /** Refuses it on a command that changes something and cannot honour it, which only the command itself may know. */
    static void refuse(@Nullable Value comment, Spec spec) {
        if (comment instanceof Value.Doc(RawDocument fields) && fields.has(FIELD)) {
            throw refused(spec);
        }
    }

    private static CommandException refused(Spec spec) {
        return new CommandException(
                ErrorCode.InvalidOptions,
                "'%s' cannot be applied once by a comment with '%s': only insert, update, delete, findAndModify and"
                        + " bulkWrite can",
                spec.name(),
                FIELD);
    }

    /** For how long an outcome is kept; null if absent. */
    public static @Nullable Duration keep(Arguments in, String field) {
        Value given = in.optional(field);
        if (given == null) {
            return null;
        }
        if (!given.type().isNumber()) {
            throw in.wrongType(field, given, "'[int, long, double]'");
        }
        long seconds = in.integer(field, 0);
        boolean isWhole = !(given instanceof Value.Double64(double number)) || number == Math.rint(number);
        if (!isWhole || seconds < 1 || seconds > KEEP_SECS_MAX) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "BSON field '%s.%s' must be a whole number of seconds from 1 to %d",
                    in.path(),
                    field,
                    KEEP_SECS_MAX);
        }
        return Duration.ofSeconds(seconds);
    }
}
