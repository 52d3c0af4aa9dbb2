package dev.semel.server.commands;

import dev.semel.query.value.Collation;
import dev.semel.server.catalog.View;
import dev.semel.server.command.Arguments;
import dev.semel.server.statement.Bypass;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Options that several commands, or several statements of one, read alike. */
final class Options {
    private Options() {}

    /** {@code hint}: the name of an index or its key. */
    static @Nullable Value hint(Arguments in) {
        return switch (in.optional("hint")) {
            case null -> null;
            case Value.Doc(RawDocument key) when key.isEmpty() -> null;
            case Value.Str name -> name;
            case Value.Doc key -> key;
            case Value other ->
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "Hint must be a string or an object, found %s",
                        other.type().alias());
        };
    }

    /** {@code collation}; null where nothing is said about it. */
    static @Nullable Collation collation(Arguments in) {
        RawDocument collation = in.optionalDocument("collation");
        return collation == null ? null : Collation.parse(collation);
    }

    /** {@code viewOn} and {@code pipeline}; null where nothing is said about them. */
    static @Nullable View view(Arguments in) {
        String on = in.string("viewOn");
        List<RawDocument> stages = in.optionalDocuments("pipeline");
        if (on == null) {
            if (in.has("pipeline")) {
                throw new CommandException(
                        ErrorCode.InvalidOptions, "'pipeline' requires 'viewOn' to also be specified");
            }
            return null;
        }
        BsonWriter pipeline = new BsonWriter();
        for (int i = 0; i < stages.size(); i++) {
            pipeline.put(Integer.toString(i), stages.get(i));
        }
        return new View(on, pipeline.finish()).checked();
    }

    /** Options of storage engines are a document for each; the only engine has none. */
    static void checkStorageEngine(@Nullable RawDocument engines) {
        if (engines == null) {
            return;
        }
        for (Element engine : engines) {
            if (!(engine.value() instanceof Value.Doc)) {
                throw new CommandException(
                        ErrorCode.BadValue, "'storageEngine.%s' has to be an embedded document.", engine.name());
            }
        }
    }

    /** {@code bypassDocumentValidation} and {@code bypassEmptyTsReplacement} of commands that write. */
    static Bypass bypass(Arguments in) {
        return new Bypass(bypassValidation(in), in.strictBool("bypassEmptyTsReplacement", false));
    }

    /** {@code bypassDocumentValidation}. */
    static boolean bypassValidation(Arguments in) {
        return in.bool("bypassDocumentValidation", false);
    }

    /** {@code allowDiskUse}: whether stages may write temporary files. */
    static boolean allowDiskUse(Arguments in, BooleanSupplier byDefault) {
        return in.bool("allowDiskUse", byDefault.getAsBoolean());
    }

    /** An array of documents, empty if absent. */
    static List<RawDocument> documents(Arguments in, String field) {
        return in.has(field) ? in.documents(field) : List.of();
    }

    /** Whether a collection is to keep what changes replace; null if the command does not say. */
    static @Nullable Boolean images(Arguments in) {
        RawDocument given = in.optionalDocument("changeStreamPreAndPostImages");
        if (given == null) {
            return null;
        }
        Arguments inner = in.inner("changeStreamPreAndPostImages", given);
        inner.required("enabled");
        boolean enabled = inner.strictBool("enabled", false);
        inner.refuseUnknown();
        return enabled;
    }
}
