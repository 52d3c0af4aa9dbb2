package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * What {@code find} asks for.
 *
 * @param limit 0 for none
 * @param batchSize null if the client leaves it to us
 */
record FindArgs(
        Namespace collection,
        RawDocument filter,
        RawDocument sort,
        RawDocument projection,
        @Nullable Value hint,
        long skip,
        long limit,
        @Nullable Long batchSize,
        boolean singleBatch,
        RawDocument min,
        RawDocument max,
        boolean returnKey,
        boolean showRecordId,
        boolean noCursorTimeout,
        RawDocument let) {

    static FindArgs parse(Arguments in) {
        FindArgs args = new FindArgs(
                in.collection("find"),
                in.documentOrEmpty("filter"),
                in.documentOrEmpty("sort"),
                in.documentOrEmpty("projection"),
                Options.hint(in),
                in.nonNegative("skip", 0),
                in.nonNegative("limit", 0),
                in.has("batchSize") ? in.nonNegative("batchSize", 0) : null,
                in.bool("singleBatch", false),
                in.documentOrEmpty("min"),
                in.documentOrEmpty("max"),
                in.bool("returnKey", false),
                in.bool("showRecordId", false),
                in.bool("noCursorTimeout", false),
                in.documentOrEmpty("let"));
        refuseTailable(in);
        Options.refuseCollation(in);
        // Whether a sort may use the disk: it never needs to here, or fails at the limit as MongoDB's does without it.
        in.bool("allowDiskUse", false);
        in.ignored("allowPartialResults", "oplogReplay");
        in.notHonoured("requestResumeToken", "resumeAfter", "startAt", "readOnce", "term");
        return args;
    }

    private static void refuseTailable(Arguments in) {
        boolean tailable = in.bool("tailable", false);
        if (in.bool("awaitData", false) && !tailable) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "Cannot set 'awaitData' without also setting 'tailable'");
        }
        if (tailable) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "error processing query: ns=%s: tailable cursor requested on non capped collection",
                    in.collection("find"));
        }
    }
}
