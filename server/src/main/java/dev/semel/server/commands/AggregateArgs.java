package dev.semel.server.commands;

import dev.semel.query.value.Collation;
import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@code aggregate} asks for.
 *
 * @param collection the one named {@code $cmd.aggregate} for a pipeline over the database, which brings its own source
 * @param batchSize null if the client leaves it to us
 * @param allowDiskUse whether stages that collect documents may write temporary files
 */
record AggregateArgs(
        Namespace collection,
        boolean onDatabase,
        List<RawDocument> stages,
        @Nullable Long batchSize,
        boolean explain,
        @Nullable Value hint,
        RawDocument let,
        boolean allowDiskUse,
        boolean bypassValidation,
        @Nullable Collation collation) {

    private static final String DATABASE_COLLECTION = "$cmd.aggregate";

    static AggregateArgs parse(Arguments in, BooleanSupplier diskUseByDefault) {
        boolean onDatabase = in.required("aggregate").type().isNumber();
        if (onDatabase && in.integer("aggregate", 0) != 1) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "Invalid command format: the 'aggregate' field must specify a collection name or 1");
        }
        boolean explain = in.bool("explain", false);
        AggregateArgs args = new AggregateArgs(
                onDatabase ? new Namespace(in.database(), DATABASE_COLLECTION) : in.collection("aggregate"),
                onDatabase,
                pipeline(in),
                batchSize(in, explain),
                explain,
                Options.hint(in),
                in.documentOrEmpty("let"),
                Options.allowDiskUse(in, diskUseByDefault),
                Options.bypassValidation(in),
                Options.collation(in));
        in.notHonoured(
                "collectionUUID", "exchange", "needsMerge", "fromMongos", "runtimeConstants", "encryptionInformation");
        return args;
    }

    /** The pipeline without the stage at its end. */
    AggregateArgs withoutLast() {
        return new AggregateArgs(
                collection,
                onDatabase,
                stages.subList(0, stages.size() - 1),
                batchSize,
                explain,
                hint,
                let,
                allowDiskUse,
                bypassValidation,
                collation);
    }

    private static List<RawDocument> pipeline(Arguments in) {
        if (!(in.required("pipeline") instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(ErrorCode.TypeMismatch, "'pipeline' option must be specified as an array");
        }
        List<RawDocument> stages = new ArrayList<>();
        for (Element element : elements) {
            if (!(element.value() instanceof Value.Doc(RawDocument stage))) {
                throw new CommandException(
                        ErrorCode.TypeMismatch, "Each element of the 'pipeline' array must be an object");
            }
            stages.add(stage);
        }
        return stages;
    }

    private static @Nullable Long batchSize(Arguments in, boolean explain) {
        RawDocument cursor = in.optionalDocument("cursor");
        if (cursor == null) {
            if (!explain) {
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "The 'cursor' option is required, except for aggregate with the explain argument");
            }
            return null;
        }
        Arguments inner = in.inner("cursor", cursor);
        Long size = inner.has("batchSize") ? inner.nonNegative("batchSize", 0) : null;
        inner.refuseUnknown();
        return size;
    }
}
