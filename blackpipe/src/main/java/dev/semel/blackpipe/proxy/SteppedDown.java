package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.message.Replies;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The replies of a server that is no longer the primary. */
final class SteppedDown {
    /** Commands that any member answers, whatever its role. */
    private static final Set<String> OF_ANY_ROLE = Set.of(
            "hello",
            "isMaster",
            "ismaster",
            "ping",
            "endSessions",
            "saslStart",
            "saslContinue",
            "authenticate",
            "buildInfo",
            "buildinfo",
            "getMore",
            "killCursors");

    private SteppedDown() {}

    /** The error, or null for a request that any member answers. */
    static @Nullable RawDocument refusal(Request request) {
        Value preference = request.get("$readPreference.mode");
        boolean elsewhere =
                preference instanceof Value.Str(var mode) && !mode.toString().equals("primary");
        if (elsewhere || OF_ANY_ROLE.contains(request.name())) {
            return null;
        }
        return error(ErrorCode.NotWritablePrimary, "not primary", request);
    }

    static RawDocument error(Request request) {
        return error(ErrorCode.PrimarySteppedDown, "primary stepped down", request);
    }

    private static RawDocument error(ErrorCode code, String message, Request request) {
        return Replies.error(code.number(), message, request.retryLabels());
    }
}
