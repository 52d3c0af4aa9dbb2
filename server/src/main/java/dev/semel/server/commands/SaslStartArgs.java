package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Base64;

/** The first message of a proof, sent by {@code saslStart} or within {@code hello}. */
record SaslStartArgs(String mechanism, String database, byte[] payload, boolean skipsEmptyExchange) {

    static SaslStartArgs parse(Arguments in, String database) {
        // What every client wants anyway.
        in.ignored("autoAuthorize");
        boolean skips = false;
        RawDocument options = in.optionalDocument("options");
        if (options != null) {
            Arguments fields = in.inner("options", options);
            skips = fields.bool("skipEmptyExchange", false);
            fields.refuseUnknown();
        }
        return new SaslStartArgs(in.requiredString("mechanism"), database, payload(in), skips);
    }

    /** Bytes, or the same in base 64. */
    static byte[] payload(Arguments in) {
        return switch (in.required("payload")) {
            case Value.Binary(byte subtype, byte[] bytes) -> bytes;
            case Value.Str(var text) -> decoded(text.toString());
            case Value other -> throw in.wrongType("payload", other, "'[string, binData]'");
        };
    }

    private static byte[] decoded(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new CommandException(ErrorCode.FailedToParse, "the payload is not in base 64");
        }
    }
}
