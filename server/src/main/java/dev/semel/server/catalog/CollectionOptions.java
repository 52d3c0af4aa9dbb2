package dev.semel.server.catalog;

import dev.semel.query.value.Collation;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a collection is created with, or changed to, as it is stored and listed.
 *
 * @param validator null if there is none
 * @param preAndPostImages whether change streams can show documents as they were before and after each change
 * @param collation how texts compare where a command does not say
 * @param view what is shown, where there are no documents
 * @param capped how much it may hold; null for anything
 * @param clustered the name of the index on {@code _id}, if a client asked for a clustered index; all collections here are
 *     stored in that order; null otherwise
 * @param timeSeries what its measurements are like; null for a collection of any documents
 */
public record CollectionOptions(
        @Nullable RawDocument validator,
        @Nullable String validationLevel,
        @Nullable String validationAction,
        @Nullable Boolean preAndPostImages,
        @Nullable Collation collation,
        @Nullable View view,
        @Nullable Capped capped,
        @Nullable String clustered,
        @Nullable TimeSeries timeSeries) {
    public static final CollectionOptions NONE =
            new CollectionOptions(null, null, null, null, null, null, null, null, null);
    private static final String IMAGES = "changeStreamPreAndPostImages";
    private static final Set<String> LEVELS = Set.of("off", "strict", "moderate");
    private static final Set<String> ACTIONS = Set.of("error", "warn");

    /** Refuses what is none of the words for it, by the name of the command. */
    public static void checkValidation(String command, @Nullable String level, @Nullable String action) {
        check(command + ".validationLevel", level, LEVELS);
        check(command + ".validationAction", action, ACTIONS);
    }

    private static void check(String field, @Nullable String value, Set<String> allowed) {
        if (value != null && !allowed.contains(value)) {
            throw new CommandException(
                    ErrorCode.BadValue, "Enumeration value '%s' for field '%s' is not a valid value.", value, field);
        }
    }

    /** Of a capped collection and nothing else. */
    public static CollectionOptions capped(Capped limits) {
        return new CollectionOptions(null, null, null, null, null, null, limits, null, null);
    }

    static CollectionOptions read(RawDocument stored) {
        return new CollectionOptions(
                stored.get("validator") instanceof Value.Doc(RawDocument rule) ? rule : null,
                string(stored.get("validationLevel")),
                string(stored.get("validationAction")),
                stored.get(IMAGES) instanceof Value.Doc(RawDocument images)
                        ? Boolean.valueOf(Value.TRUE.equals(images.get("enabled")))
                        : null,
                stored.get("collation") instanceof Value.Doc(RawDocument rules) ? Collation.parse(rules) : null,
                View.read(stored),
                Capped.read(stored),
                stored.get("clusteredIndex") instanceof Value.Doc(RawDocument index) ? string(index.get("name")) : null,
                TimeSeries.read(stored));
    }

    boolean keepsImages() {
        return Boolean.TRUE.equals(preAndPostImages);
    }

    Collation collated() {
        return collation == null ? Collation.SIMPLE : collation;
    }

    private static @Nullable String string(@Nullable Value value) {
        return value instanceof Value.Str(Text text) ? text.toString() : null;
    }

    /** What is said here, and otherwise what was said before. */
    CollectionOptions over(CollectionOptions before) {
        return new CollectionOptions(
                validator == null ? before.validator : validator,
                validationLevel == null ? before.validationLevel : validationLevel,
                validationAction == null ? before.validationAction : validationAction,
                preAndPostImages == null ? before.preAndPostImages : preAndPostImages,
                collation == null ? before.collation : collation,
                view == null ? before.view : view,
                capped == null ? before.capped : capped.over(before.capped),
                clustered == null ? before.clustered : clustered,
                timeSeries == null ? before.timeSeries : timeSeries);
    }

    RawDocument toDocument() {
        BsonWriter out = new BsonWriter();
        if (view != null) {
            out.put("viewOn", view.viewOn()).put("pipeline", new Value.Array(view.pipeline()));
        }
        if (capped != null) {
            capped.writeTo(out);
        }
        if (timeSeries != null) {
            timeSeries.writeTo(out);
        }
        if (clustered != null) {
            out.startDocument("clusteredIndex").put("v", 2);
            out.startDocument("key").put("_id", 1).end();
            out.put("name", clustered).put("unique", true).end();
        }
        if (validator != null && !validator.isEmpty()) {
            out.put("validator", validator);
            out.put("validationLevel", validationLevel == null ? "strict" : validationLevel);
            out.put("validationAction", validationAction == null ? "error" : validationAction);
        } else {
            if (validationLevel != null) {
                out.put("validationLevel", validationLevel);
            }
            if (validationAction != null) {
                out.put("validationAction", validationAction);
            }
        }
        if (keepsImages()) {
            out.startDocument(IMAGES).put("enabled", true).end();
        }
        if (!collated().isSimple()) {
            out.put("collation", collated().document());
        }
        return out.finish();
    }
}
