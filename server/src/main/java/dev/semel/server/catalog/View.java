package dev.semel.server.catalog;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is read under a name that has no documents of its own: what a pipeline makes of a collection, or of another view,
 * of the same database.
 *
 * @param pipeline an array of stages
 */
public record View(String viewOn, RawDocument pipeline) {
    private static final Set<String> REFUSED = Set.of("$changeStream", "$merge", "$out");

    static @Nullable View read(RawDocument options) {
        return options.get("viewOn") instanceof Value.Str(Text on)
                        && options.get("pipeline") instanceof Value.Array(RawDocument pipeline)
                ? new View(on.toString(), pipeline)
                : null;
    }

    public List<RawDocument> stages() {
        List<RawDocument> stages = new ArrayList<>();
        for (Element each : pipeline) {
            if (!(each.value() instanceof Value.Doc(RawDocument stage))) {
                throw new CommandException(
                        ErrorCode.TypeMismatch, "Each element of the 'pipeline' array must be an object");
            }
            stages.add(stage);
        }
        return stages;
    }

    /** Refuses a view that would write, or go on for ever. */
    public View checked() {
        for (RawDocument stage : stages()) {
            Element first = stage.first();
            if (first != null && REFUSED.contains(first.name())) {
                throw new CommandException(
                        ErrorCode.OptionNotSupportedOnView,
                        "The aggregation stage %s cannot be used in a view definition",
                        first.name());
            }
        }
        if (viewOn.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "'viewOn' cannot be empty");
        }
        return this;
    }

    static CommandException refused(Namespace namespace) {
        return new CommandException(
                ErrorCode.CommandNotSupportedOnView, "Namespace %s is a view, not a collection", namespace);
    }
}
