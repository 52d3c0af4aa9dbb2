package dev.semel.query.pipeline;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.Set;

/** What pipelines inside stages must not hold. */
final class Subpipelines {
    private static final Set<String> WRITES = Set.of("$merge", "$out");

    private Subpipelines() {}

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
