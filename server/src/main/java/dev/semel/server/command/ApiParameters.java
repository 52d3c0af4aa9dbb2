package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;

/** The stable API that a client declares to use: {@code apiVersion} and how strictly to hold it to that. */
public record ApiParameters(int version, boolean isStrict, boolean deprecationErrors) {
    public static final ApiParameters NONE = new ApiParameters(0, false, false);

    /** What there is for tests of this, each in the versions that its name says. */
    public static final List<String> TEST_COMMANDS =
            List.of("testDeprecation", "testDeprecationInVersion2", "testRemoval", "testVersion2", "testVersions1And2");

    private static final Set<String> TESTS_OF_VERSION_1 =
            Set.of("testDeprecation", "testDeprecationInVersion2", "testRemoval", "testVersions1And2");
    private static final Set<String> TESTS_OF_VERSION_2 =
            Set.of("testDeprecationInVersion2", "testVersion2", "testVersions1And2");

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

    /** What {@code $collStats} shows beside the count. */
    private static final List<String> OTHER_STATISTICS = List.of("latencyStats", "queryExecStats", "storageStats");

    static ApiParameters parse(Arguments in) {
        boolean strict = in.strictBool("apiStrict", false);
        boolean deprecation = in.strictBool("apiDeprecationErrors", false);
        Value version = in.optional("apiVersion");
        if (version == null) {
            if (in.has("apiStrict") || in.has("apiDeprecationErrors")) {
                throw new CommandException(
                        ErrorCode.location(4886600),
                        "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
            }
            return NONE;
        }
        String text = in.string("apiVersion");
        int number = "1".equals(text) ? 1 : "2".equals(text) ? 2 : 0;
        if (number == 0) {
            throw unknownVersion();
        }
        return new ApiParameters(number, strict, deprecation);
    }

    private static CommandException unknownVersion() {
        return new CommandException(ErrorCode.APIVersionError, "API version must be \"1\"");
    }

    void check(Spec spec, boolean isRequired, boolean acceptsVersion2) {
        if (version == 2 && !acceptsVersion2) {
            throw unknownVersion();
        }
        if (isRequired && version == 0 && !spec.is(Spec.Trait.HANDSHAKE)) {
            throw new CommandException(
                    ErrorCode.APIVersionError,
                    "The apiVersion parameter is required, please configure your MongoClient's API version");
        }
        if (isStrict && !VERSION_1.contains(spec.name()) && !testsOfVersion().contains(spec.name())) {
            throw new CommandException(
                    ErrorCode.APIStrictError,
                    "Provided apiStrict:true, but the command %s is not in API Version %d",
                    spec.name(),
                    version);
        }
        boolean isDeprecated =
                spec.name().equals(version == 2 ? "testDeprecationInVersion2" : "testDeprecation") && version > 0;
        if (deprecationErrors && isDeprecated) {
            throw new CommandException(
                    ErrorCode.APIDeprecationError,
                    "Provided apiDeprecationErrors:true, but the command %s is deprecated in API Version %d",
                    spec.name(),
                    version);
        }
    }

    private Set<String> testsOfVersion() {
        return version == 2 ? TESTS_OF_VERSION_2 : TESTS_OF_VERSION_1;
    }

    /** Refuses fields that a command of the version has for other clients only. */
    void check(Arguments in) {
        UnstableFields unstable = isStrict ? UnstableFields.of(in.path()) : null;
        if (unstable != null) {
            unstable.refuse(in);
        }
    }

    /** Of a pipeline. */
    public void checkStage(Element stage) {
        if (!isStrict) {
            return;
        }
        if (OTHER_STAGES.contains(stage.name())) {
            throw new CommandException(
                    ErrorCode.APIStrictError,
                    "stage %s is not allowed with 'apiStrict: true' in API Version 1",
                    stage.name());
        }
        if (stage.name().equals("$collStats")
                && stage.value() instanceof Value.Doc(RawDocument options)
                && OTHER_STATISTICS.stream().anyMatch(options::has)) {
            throw new CommandException(
                    ErrorCode.APIStrictError, "only the 'count' option to $collStats is supported in API Version 1");
        }
    }
}
