package dev.semel.server.command;

import dev.semel.server.session.SessionId;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * The fields that any command may carry beside its own.
 *
 * @param txnNumber of a retryable write, -1 without one
 * @param clusterTime the newest that the client has heard of, 0 if it did not say
 * @param maxTimeMs 0 for no limit
 */
record Envelope(
        @Nullable SessionId lsid,
        long txnNumber,
        long clusterTime,
        ReadConcern readConcern,
        WriteConcern writeConcern,
        long maxTimeMs,
        @Nullable Value comment,
        ApiParameters api) {
    static final long NO_TXN_NUMBER = -1;

    /** What a router or another member may add; without meaning for a server that takes commands from clients. */
    private static final String[] IGNORED = {
        "$audit",
        "$client",
        "$configServerState",
        "$oplogQueryData",
        "$replData",
        "$configTime",
        "$topologyTime",
        "databaseVersion",
        "shardVersion",
        "mayBypassWriteBlocking",
        "rawData",
        "maxTimeMSOpOnly",
        "clientOperationKey"
    };

    static Envelope parse(Arguments in, Spec spec, Concerns defaults) {
        Value lsid = in.optional("lsid");
        SessionId session = lsid == null ? null : lsid(in, lsid);
        long txnNumber = txnNumber(in, spec, session);
        readPreference(in);
        // Which database it is has been read before there was anything to parse.
        in.mentions("$db");
        in.ignored(IGNORED);
        return new Envelope(
                session,
                txnNumber,
                clusterTime(in),
                readConcern(in, spec, defaults),
                writeConcern(in, spec, defaults),
                maxTimeMs(in),
                in.optional("comment"),
                ApiParameters.parse(in));
    }

    // ---- sessions and transaction numbers

    private static SessionId lsid(Arguments in, Value value) {
        if (!(value instanceof Value.Doc(RawDocument fields))) {
            throw in.wrongType("lsid", value, "'object'");
        }
        return SessionId.parse(fields, "lsid");
    }

    private static long txnNumber(Arguments in, Spec spec, @Nullable SessionId session) {
        Value value = in.optional("txnNumber");
        Boolean autocommit = flag(in, "autocommit", value);
        Boolean startTransaction = flag(in, "startTransaction", value);
        in.ignored("stmtId", "stmtIds", "txnRetryCounter");
        if (value == null) {
            return NO_TXN_NUMBER;
        }
        if (!(value instanceof Value.Int64(long number))) {
            throw in.wrongType("txnNumber", value, "'long'");
        }
        if (session == null) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "Transaction number requires a session ID to also be specified");
        }
        if (number < 0) {
            throw new CommandException(ErrorCode.InvalidOptions, "Transaction number cannot be negative");
        }
        if (autocommit != null || startTransaction != null) {
            throw transaction(in, autocommit, startTransaction);
        }
        if (!spec.is(Spec.Trait.RETRYABLE)) {
            throw new CommandException(
                    ErrorCode.NotARetryableWriteCommand,
                    "txnNumber may only be provided for multi-document transactions and retryable write commands."
                            + " autocommit:false was not provided, and '%s' is not a retryable write command.",
                    spec.name());
        }
        return number;
    }

    private static @Nullable Boolean flag(Arguments in, String field, @Nullable Value txnNumber) {
        Value value = in.optional(field);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Value.Bool(boolean flag))) {
            throw in.wrongType(field, value, "'bool'");
        }
        if (txnNumber == null) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "'%s' field requires a transaction number to also be specified", field);
        }
        return flag;
    }

    private static CommandException transaction(
            Arguments in, @Nullable Boolean autocommit, @Nullable Boolean startTransaction) {
        if (Boolean.TRUE.equals(autocommit)) {
            return new CommandException(ErrorCode.InvalidOptions, "Specifying autocommit=true is not allowed.");
        }
        if (Boolean.FALSE.equals(startTransaction)) {
            return new CommandException(ErrorCode.InvalidOptions, "Specifying startTransaction=false is not allowed.");
        }
        if (autocommit == null) {
            return new CommandException(
                    ErrorCode.InvalidOptions,
                    "'startTransaction' field requires 'autocommit' field to also be specified");
        }
        return new CommandException(
                ErrorCode.NotImplemented,
                "'%s.%s' is not supported: this server has no session transactions",
                in.path(),
                startTransaction == null ? "autocommit" : "startTransaction");
    }

    // ---- concerns

    private static ReadConcern readConcern(Arguments in, Spec spec, Concerns defaults) {
        if (!in.has("readConcern")) {
            return spec.is(Spec.Trait.READ_CONCERN) && !spec.is(Spec.Trait.WRITES)
                    ? defaults.read()
                    : ReadConcern.LOCAL;
        }
        ReadConcern concern = ReadConcern.parse(in, defaults.read());
        boolean allowed = switch (concern.level()) {
            case LOCAL -> true;
            case AVAILABLE, MAJORITY, LINEARIZABLE -> spec.is(Spec.Trait.READ_CONCERN) && !spec.is(Spec.Trait.WRITES);
            case SNAPSHOT -> spec.is(Spec.Trait.SNAPSHOT_READ);
        };
        if (!allowed) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "Command %s does not support { readConcern: { level: \"%s\", provenance: \"clientSupplied\" } }"
                            + " :: caused by :: read concern not supported",
                    spec.name(),
                    concern.level());
        }
        return concern;
    }

    private static WriteConcern writeConcern(Arguments in, Spec spec, Concerns defaults) {
        WriteConcern concern = WriteConcern.parse(in, defaults.write());
        if (!spec.is(Spec.Trait.WRITE_CONCERN)
                && !in.documentOrEmpty("writeConcern").isEmpty()) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "Command %s does not support writeConcern", spec.name());
        }
        return concern;
    }

    private static void readPreference(Arguments in) {
        RawDocument preference = in.optionalDocument("$readPreference");
        if (preference == null) {
            return;
        }
        Arguments fields = in.inner("$readPreference", preference);
        String mode = fields.requiredString("mode");
        switch (mode) {
            case "primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest" -> {}
            default ->
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "Could not parse $readPreference mode '%s'. Only the modes 'primary', 'primaryPreferred',"
                                + " 'secondary', 'secondaryPreferred', and 'nearest' are supported.",
                        mode);
        }
        long staleness = fields.integer("maxStalenessSeconds", -1);
        if (staleness >= 0 && staleness < 90) {
            throw new CommandException(
                    ErrorCode.MaxStalenessOutOfRange,
                    "$maxStalenessSeconds value can not be less than 90 seconds, found %d",
                    staleness);
        }
        fields.ignored("tags", "hedge");
        fields.refuseUnknown();
    }

    // ---- times

    private static long clusterTime(Arguments in) {
        RawDocument gossip = in.optionalDocument("$clusterTime");
        if (gossip == null) {
            return 0;
        }
        return switch (gossip.get("clusterTime")) {
            case Value.Timestamp(long time) -> time;
            case null ->
                throw new CommandException(
                        ErrorCode.IDLFailedToParse,
                        "BSON field '$clusterTime.clusterTime' is missing but a required field");
            case Value other ->
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "BSON field '$clusterTime.clusterTime' is the wrong type '%s', expected type 'timestamp'",
                        other.type().alias());
        };
    }

    private static long maxTimeMs(Arguments in) {
        Value value = in.optional("maxTimeMS");
        if (value == null) {
            return 0;
        }
        if (!value.type().isNumber()) {
            throw new CommandException(ErrorCode.BadValue, "maxTimeMS must be a number");
        }
        if (value instanceof Value.Double64(double number) && number != Math.rint(number)) {
            throw new CommandException(ErrorCode.BadValue, "maxTimeMS has non-integral value");
        }
        long limit = in.integer("maxTimeMS", 0);
        if (limit < 0 || limit > Integer.MAX_VALUE) {
            throw new CommandException(
                    ErrorCode.BadValue, "%d value for maxTimeMS is out of range [0, %d]", limit, Integer.MAX_VALUE);
        }
        return limit;
    }
}
