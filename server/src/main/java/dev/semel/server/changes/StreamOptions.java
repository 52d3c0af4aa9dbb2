package dev.semel.server.changes;

import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code $changeStream} stage asks for.
 *
 * @param after behind which the stream begins; null for now
 */
record StreamOptions(
        AfterImage fullDocument,
        BeforeImage fullDocumentBeforeChange,
        @Nullable ResumeToken after,
        boolean allChangesForCluster,
        boolean showExpandedEvents) {

    /** The document that an update has left. */
    enum AfterImage {
        DEFAULT("default"),
        UPDATE_LOOKUP("updateLookup"),
        WHEN_AVAILABLE("whenAvailable"),
        REQUIRED("required");

        private final String text;

        AfterImage(String text) {
            this.text = text;
        }

        static AfterImage parse(@Nullable String text) {
            for (AfterImage each : values()) {
                if (each.text.equals(text == null ? "default" : text)) {
                    return each;
                }
            }
            throw unknown("fullDocument", text);
        }
    }

    /** The document that a change has replaced. */
    enum BeforeImage {
        OFF("off"),
        WHEN_AVAILABLE("whenAvailable"),
        REQUIRED("required");

        private final String text;

        BeforeImage(String text) {
            this.text = text;
        }

        static BeforeImage parse(@Nullable String text) {
            for (BeforeImage each : values()) {
                if (each.text.equals(text == null ? "off" : text)) {
                    return each;
                }
            }
            throw unknown("fullDocumentBeforeChange", text);
        }
    }

    private static CommandException unknown(String field, @Nullable String text) {
        return new CommandException(
                ErrorCode.BadValue,
                "Enumeration value '%s' for field '$changeStream.%s' is not a valid value.",
                String.valueOf(text),
                field);
    }

    static StreamOptions parse(Arguments in) {
        StreamOptions options = new StreamOptions(
                AfterImage.parse(in.string("fullDocument")),
                BeforeImage.parse(in.string("fullDocumentBeforeChange")),
                after(in),
                in.bool("allChangesForCluster", false),
                in.bool("showExpandedEvents", false));
        in.notHonoured("showSystemEvents", "showRawUpdateDescription", "matchCollectionUUIDForUpdateLookup");
        in.refuseUnknown();
        return options;
    }

    private static @Nullable ResumeToken after(Arguments in) {
        RawDocument resumeAfter = in.optionalDocument("resumeAfter");
        RawDocument startAfter = in.optionalDocument("startAfter");
        Value startAt = in.optional("startAtOperationTime");
        int given = (resumeAfter == null ? 0 : 1) + (startAfter == null ? 0 : 1) + (startAt == null ? 0 : 1);
        if (given > 1) {
            throw new CommandException(
                    ErrorCode.location(40674), "Only one type of resume option is allowed, but multiple were found.");
        }
        if (resumeAfter != null) {
            ResumeToken token = ResumeToken.parse(resumeAfter);
            if (token.kind() == ResumeToken.Kind.INVALIDATION) {
                throw new CommandException(
                        ErrorCode.InvalidResumeToken,
                        "Attempting to resume a change stream using 'resumeAfter' is not allowed from an"
                                + " invalidate notification.");
            }
            return token;
        }
        if (startAfter != null) {
            return ResumeToken.parse(startAfter);
        }
        return switch (startAt) {
            case null -> null;
            case Value.Timestamp(long time) -> ResumeToken.behind(time == 0 ? 0 : time - 1);
            case Value other -> throw in.wrongType("startAtOperationTime", other, "'timestamp'");
        };
    }
}
