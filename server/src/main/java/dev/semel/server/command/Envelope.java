package dev.semel.server.command;

import dev.semel.server.auth.UserDigest;
import dev.semel.server.once.TokenUse;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * The fields that any command may carry beside its own.
 *
 * @param clusterTime the newest that the client has heard of, 0 if it did not say
 * @param maxTimeMs 0 for no limit
 * @param mayReadSecondary whether its read preference is another one than {@code primary}
 * @param once what the comment says of a token; null without one
 */
record Envelope(
        SessionFields session,
        boolean mayReadSecondary,
        long clusterTime,
        ReadConcern readConcern,
        WriteConcern writeConcern,
        long maxTimeMs,
        @Nullable Value comment,
        @Nullable TokenUse once,
        ApiParameters api) {
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

    static Envelope parse(Arguments in, Spec spec, Concerns defaults, @Nullable UserDigest owner) {
        SessionFields session = SessionFields.parse(in, spec, owner);
        boolean mayReadSecondary = readPreference(in);
        // Which database it is has been read before there was anything to parse.
        in.mentions("$db");
        in.ignored(IGNORED);
        Value comment = in.optional("comment");
        return new Envelope(
                session,
                mayReadSecondary,
                clusterTime(in),
                readConcern(in, spec, session, defaults),
                writeConcern(in, spec, session, defaults),
                maxTimeMs(in),
                comment,
                OnceComment.parse(in, comment, spec, owner),
                ApiParameters.parse(in));
    }

    // ---- concerns

    private static ReadConcern readConcern(Arguments in, Spec spec, SessionFields session, Concerns defaults) {
        if (session.inTransaction()) {
            return readConcernInTransaction(in, session, defaults);
        }
        if (!in.has("readConcern")) {
            return spec.is(Spec.Trait.READ_CONCERN) && !spec.is(Spec.Trait.WRITES)
                    ? defaults.read()
                    : ReadConcern.LOCAL;
        }
        ReadConcern concern = ReadConcern.parse(in, defaults.read());
        if (spec.is(Spec.Trait.INHERITS_READ_CONCERN)) {
            return ReadConcern.LOCAL;
        }
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

    private static ReadConcern readConcernInTransaction(Arguments in, SessionFields session, Concerns defaults) {
        if (!in.has("readConcern")) {
            return session.startsTransaction() && defaults.read().level() == ReadConcern.Level.MAJORITY
                    ? defaults.read()
                    : ReadConcern.LOCAL;
        }
        if (!session.startsTransaction()) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "Only the first command in a transaction may specify a readConcern");
        }
        ReadConcern concern = ReadConcern.parse(in, ReadConcern.LOCAL);
        return switch (concern.level()) {
            case LOCAL, MAJORITY, SNAPSHOT -> concern;
            case AVAILABLE, LINEARIZABLE ->
                throw new CommandException(
                        ErrorCode.InvalidOptions,
                        "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to"
                                + " run in a transaction, found '%s'",
                        concern.level());
        };
    }

    private static WriteConcern writeConcern(Arguments in, Spec spec, SessionFields session, Concerns defaults) {
        if (session.inTransaction() && !spec.is(Spec.Trait.ENDS_TRANSACTION) && in.has("writeConcern")) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "writeConcern is not allowed within a multi-statement transaction");
        }
        WriteConcern concern = WriteConcern.parse(in, defaults.write());
        if (!spec.is(Spec.Trait.WRITE_CONCERN)
                && !in.documentOrEmpty("writeConcern").isEmpty()) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "Command %s does not support writeConcern", spec.name());
        }
        return concern;
    }

    private static boolean readPreference(Arguments in) {
        RawDocument preference = in.optionalDocument("$readPreference");
        if (preference == null) {
            return false;
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
        return !mode.equals("primary");
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
