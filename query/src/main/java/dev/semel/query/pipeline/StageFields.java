package dev.semel.query.pipeline;

import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.Set;

/** What stages with fields and pipelines of their own must not be given. */
final class StageFields {
    private static final Set<String> WRITES = Set.of("$merge", "$out");

    private StageFields() {}

    /** A path as it may stand in a stage. */
    static DottedPath path(String text) {
        if (text.isEmpty()) {
            throw new CommandException(ErrorCode.location(40352), "FieldPath cannot be constructed with empty string");
        }
        if (text.endsWith(".")) {
            throw new CommandException(ErrorCode.location(40353), "FieldPath must not end with a '.'.");
        }
        for (String part : text.split("\\.", -1)) {
            if (part.isEmpty()) {
                throw new CommandException(
                        ErrorCode.location(15998), "FieldPath field names may not be empty strings.");
            }
            name(part);
        }
        return DottedPath.of(text);
    }

    /** A name of a field as it may stand in a path. */
    static void name(String part) {
        if (part.startsWith("$")) {
            throw new CommandException(
                    ErrorCode.location(16410),
                    "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
        }
        if (part.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.location(16411), "FieldPath field names may not contain '\\0'.");
        }
    }

    /** A pipeline inside a stage writes nothing. */
    static void refuseWrites(List<RawDocument> pipeline, String stage, int code) {
        for (RawDocument each : pipeline) {
            Element first = each.first();
            if (first != null && WRITES.contains(first.name())) {
                throw new CommandException(
                        ErrorCode.location(code), "%s is not allowed within a %s's sub-pipeline", first.name(), stage);
            }
        }
    }
}
