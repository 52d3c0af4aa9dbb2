package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.util.Set;

/** The stable API that a client declares to use: {@code apiVersion} and how strictly to hold it to that. */
public record ApiParameters(boolean isDeclared, boolean isStrict, boolean deprecationErrors) {
    public static final ApiParameters NONE = new ApiParameters(false, false, false);

    private static final Set<String> VERSION_1 = Set.of(
            "abortTransaction",
            "aggregate",
            "authenticate",
            "bulkWrite",
            "collMod",
            "commitTransaction",
            "count",
            "create",
            "createIndexes",
            "delete",
            "drop",
            "dropDatabase",
            "dropIndexes",
            "endSessions",
            "explain",
            "find",
            "findAndModify",
            "getMore",
            "hello",
            "insert",
            "killCursors",
            "listCollections",
            "listDatabases",
            "listIndexes",
            "ping",
            "refreshSessions",
            "saslContinue",
            "saslStart",
            "update");

    /** Stages that version 1 does not have. */
    private static final Set<String> OTHER_STAGES = Set.of(
            "$currentOp",
            "$indexStats",
            "$listLocalSessions",
            "$listSessions",
            "$planCacheStats",
            "$search",
            "$searchMeta",
            "$vectorSearch");

    static ApiParameters parse(Arguments in) {
        boolean strict = in.strictBool("apiStrict", false);
        boolean deprecation = in.strictBool("apiDeprecationErrors", false);
        Value version = in.optional("apiVersion");
        if (version == null) {
            if (in.has("apiStrict") || in.has("apiDeprecationErrors")) {
                throw new CommandException(
                        ErrorCode.APIVersionError,
                        "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
            }
            return NONE;
        }
        String text = in.string("apiVersion");
        if (!"1".equals(text)) {
            throw new CommandException(ErrorCode.APIVersionError, "API version must be \"1\"");
        }
        return new ApiParameters(true, strict, deprecation);
    }

    void check(Spec spec, boolean isRequired) {
        if (isRequired && !isDeclared && !spec.is(Spec.Trait.HANDSHAKE)) {
            throw new CommandException(
                    ErrorCode.APIVersionError,
                    "The apiVersion parameter is required, please configure your MongoClient's API version");
        }
        if (isStrict && !VERSION_1.contains(spec.name())) {
            throw new CommandException(
                    ErrorCode.APIStrictError,
                    "Provided apiStrict:true, but the command %s is not in API Version 1",
                    spec.name());
        }
    }

    /** Of a pipeline. */
    public void checkStage(String name) {
        if (isStrict && OTHER_STAGES.contains(name)) {
            throw new CommandException(
                    ErrorCode.APIStrictError, "stage %s is not allowed with 'apiStrict: true' in API Version 1", name);
        }
    }
}
