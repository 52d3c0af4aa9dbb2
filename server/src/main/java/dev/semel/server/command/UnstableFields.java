package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fields that version 1 of the stable API does not have, of commands that it has: a client that is strict about its version must not
 * send them.
 *
 * @param command what messages call the command
 */
record UnstableFields(String command, List<String> names) {
    private static final Map<String, UnstableFields> BY_COMMAND = Map.of(
            "aggregate",
            new UnstableFields(
                    "aggregate",
                    List.of(
                            "explain",
                            "collectionUUID",
                            "isMapReduceCommand",
                            "runtimeConstants",
                            "$_requestReshardingResumeToken",
                            "$_requestResumeToken",
                            "$_resumeAfter")),
            "create",
            new UnstableFields(
                    "create",
                    List.of(
                            "size",
                            "max",
                            "storageEngine",
                            "autoIndexId",
                            "indexOptionDefaults",
                            "recordPreImages",
                            "temp",
                            "flags")),
            "createIndexes",
            new UnstableFields(
                    "createIndexes", List.of("ignoreUnknownIndexOptions", "returnOnStart", "collectionUUID")),
            "find",
            new UnstableFields(
                    "FindCommandRequest",
                    List.of(
                            "min",
                            "max",
                            "returnKey",
                            "showRecordId",
                            "noCursorTimeout",
                            "tailable",
                            "awaitData",
                            "oplogReplay",
                            "readOnce",
                            "allowSpeculativeMajorityRead",
                            "collectionUUID",
                            "runtimeConstants",
                            "term",
                            "$_requestResumeToken",
                            "$_resumeAfter")));

    /** Of a command by its name; null if all its fields are stable, as far as it is known here. */
    static @Nullable UnstableFields of(String command) {
        return BY_COMMAND.get(command);
    }

    void refuse(Arguments in) {
        for (String name : names) {
            if (in.mentions(name)) {
                throw new CommandException(
                        ErrorCode.APIStrictError,
                        "BSON field '%s.%s' is not allowed with apiStrict:true.",
                        command,
                        name);
            }
        }
    }
}
