package dev.semel.server.commands;

import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.command.Arguments;
import dev.semel.server.statement.Bypass;
import dev.semel.server.statement.Write;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** What {@code insert}, {@code update} and {@code delete} come down to. */
record WriteArgs(List<Write> statements, boolean ordered) {

    static WriteArgs insert(Arguments in) {
        Namespace collection = in.collection("insert");
        List<RawDocument> documents = statements(in, "documents");
        Bypass bypass = Options.bypass(in);
        List<Write> statements = new ArrayList<>(documents.size());
        for (RawDocument document : documents) {
            statements.add(new Write.Insert(collection, document, bypass));
        }
        return finish(in, statements);
    }

    static WriteArgs update(Arguments in) {
        Namespace collection = in.collection("update");
        List<RawDocument> updates = statements(in, "updates");
        Bypass bypass = Options.bypass(in);
        RawDocument let = in.documentOrEmpty("let");
        List<Write> statements = new ArrayList<>(updates.size());
        for (RawDocument update : updates) {
            statements.add(update(collection, in.inner("updates", update), let, bypass));
        }
        return finish(in, statements);
    }

    private static Write.Update update(Namespace collection, Arguments in, RawDocument let, Bypass bypass) {
        RawDocument filter = in.requiredDocument("q");
        Value modification = modification(in, "u");
        RawDocument constants = in.documentOrEmpty("c");
        boolean supplied = in.bool("upsertSupplied", false);
        Write.Update statement = new Write.Update(
                collection,
                filter,
                modification,
                in.strictBool("multi", false),
                in.strictBool("upsert", false),
                Options.documents(in, "arrayFilters"),
                Options.hint(in),
                in.documentOrEmpty("sort"),
                supplied ? RawDocument.EMPTY : constants,
                let,
                supplied ? suppliedNew(constants) : null,
                bypass,
                Options.collation(in));
        // MongoDB's own routers send it, for statistics.
        in.ignored("sampleId");
        in.refuseUnknown();
        return statement;
    }

    /** A document of operators, a whole document, or a pipeline: one with a stage that none has fails the whole command. */
    static Value modification(Arguments in, String field) {
        Value modification = in.required(field);
        if (modification instanceof Value.Array(RawDocument stages)) {
            for (var at = stages.cursor(); at.next(); ) {
                if (at.value() instanceof Value.Doc(RawDocument stage)) {
                    Pipelines.checkNames(List.of(stage));
                }
            }
        }
        if (modification instanceof Value.Doc || modification instanceof Value.Array) {
            return modification;
        }
        throw new CommandException(ErrorCode.FailedToParse, "Update argument must be either an object or an array");
    }

    private static RawDocument suppliedNew(RawDocument constants) {
        if (constants.get("new") instanceof Value.Doc(RawDocument document)) {
            return document;
        }
        throw new CommandException(
                ErrorCode.FailedToParse,
                "the parameter 'upsertSupplied' is set to 'true', but no document was supplied as 'c.new'");
    }

    static WriteArgs delete(Arguments in) {
        Namespace collection = in.collection("delete");
        List<RawDocument> deletes = statements(in, "deletes");
        // What is removed is neither validated nor changed, so there is nothing to bypass.
        Options.bypass(in);
        RawDocument let = in.documentOrEmpty("let");
        List<Write> statements = new ArrayList<>(deletes.size());
        for (RawDocument delete : deletes) {
            statements.add(delete(collection, in.inner("deletes", delete), let));
        }
        return finish(in, statements);
    }

    private static Write.Delete delete(Namespace collection, Arguments in, RawDocument let) {
        RawDocument filter = in.requiredDocument("q");
        in.required("limit");
        long limit = in.integer("limit", 0);
        if (limit != 0 && limit != 1) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "The limit field in delete objects must be 0 or 1. Got %d", limit);
        }
        Write.Delete statement = new Write.Delete(
                collection, filter, limit == 0, Options.hint(in), RawDocument.EMPTY, let, Options.collation(in));
        in.ignored("sampleId");
        in.refuseUnknown();
        return statement;
    }

    private static List<RawDocument> statements(Arguments in, String field) {
        List<RawDocument> statements = in.documents(field);
        checkCount(statements.size());
        return statements;
    }

    static void checkCount(int statements) {
        if (statements < 1 || statements > Limits.WRITE_BATCH_MAX) {
            throw new CommandException(
                    ErrorCode.InvalidLength,
                    "Write batch sizes must be between 1 and %d. Got %d operations.",
                    Limits.WRITE_BATCH_MAX,
                    statements);
        }
    }

    private static WriteArgs finish(Arguments in, List<Write> statements) {
        in.notHonoured("collectionUUID", "encryptionInformation");
        return new WriteArgs(statements, in.bool("ordered", true));
    }
}
