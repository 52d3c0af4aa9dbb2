package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.statement.Bypass;
import dev.semel.server.statement.Write;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code bulkWrite} asks for.
 *
 * @param batchSize of the results; null if the client leaves it to us
 */
record BulkWriteArgs(
        List<Write> statements,
        boolean ordered,
        boolean errorsOnly,
        @Nullable Long batchSize) {

    static BulkWriteArgs parse(Arguments in) {
        List<RawDocument> ops = in.documents("ops");
        WriteArgs.checkCount(ops.size());
        List<Namespace> namespaces = namespaces(in);
        RawDocument let = in.documentOrEmpty("let");
        Bypass bypass = Options.bypass(in);
        List<Write> statements = new ArrayList<>(ops.size());
        for (RawDocument op : ops) {
            statements.add(statement(in.inner("ops", op), namespaces, let, bypass));
        }
        return new BulkWriteArgs(statements, in.bool("ordered", true), in.bool("errorsOnly", false), batchSize(in));
    }

    private static @Nullable Long batchSize(Arguments in) {
        RawDocument cursor = in.optionalDocument("cursor");
        if (cursor == null) {
            return null;
        }
        Arguments inner = in.inner("cursor", cursor);
        Long size = inner.has("batchSize") ? inner.nonNegative("batchSize", 0) : null;
        inner.refuseUnknown();
        return size;
    }

    private static List<Namespace> namespaces(Arguments in) {
        List<Namespace> namespaces = new ArrayList<>();
        for (RawDocument each : in.documents("nsInfo")) {
            Arguments inner = in.inner("nsInfo", each);
            Namespace namespace = Namespace.parse(inner.requiredString("ns"));
            Arguments.namespace(namespace.database(), namespace.collection());
            inner.notHonoured("collectionUUID", "encryptionInformation");
            inner.refuseUnknown();
            if (namespaces.contains(namespace)) {
                throw new CommandException(ErrorCode.BadValue, "Duplicate namespace %s in nsInfo", namespace);
            }
            namespaces.add(namespace);
        }
        return namespaces;
    }

    private static Write statement(Arguments in, List<Namespace> namespaces, RawDocument let, Bypass bypass) {
        Element first = in.document().first();
        String kind = first == null ? "" : first.name();
        Write statement = switch (kind) {
            case "insert" -> insert(in, namespaces, bypass);
            case "update" -> update(in, namespaces, let, bypass);
            case "delete" -> delete(in, namespaces, let);
            default ->
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "Unrecognized op in 'ops': '%s' is none of insert, update and delete",
                        kind);
        };
        in.refuseUnknown();
        return statement;
    }

    private static Write insert(Arguments in, List<Namespace> namespaces, Bypass bypass) {
        return new Write.Insert(namespace(in, "insert", namespaces), in.requiredDocument("document"), bypass);
    }

    private static Write update(Arguments in, List<Namespace> namespaces, RawDocument let, Bypass bypass) {
        in.notHonoured("upsertSupplied");
        return new Write.Update(
                namespace(in, "update", namespaces),
                in.requiredDocument("filter"),
                WriteArgs.modification(in, "updateMods"),
                in.strictBool("multi", false),
                in.strictBool("upsert", false),
                Options.documents(in, "arrayFilters"),
                Options.hint(in),
                in.documentOrEmpty("sort"),
                in.documentOrEmpty("constants"),
                let,
                null,
                bypass,
                Options.collation(in));
    }

    private static Write delete(Arguments in, List<Namespace> namespaces, RawDocument let) {
        return new Write.Delete(
                namespace(in, "delete", namespaces),
                in.requiredDocument("filter"),
                in.strictBool("multi", false),
                Options.hint(in),
                RawDocument.EMPTY,
                let,
                Options.collation(in));
    }

    private static Namespace namespace(Arguments in, String kind, List<Namespace> namespaces) {
        in.required(kind);
        long index = in.integer(kind, 0);
        if (index < 0 || index >= namespaces.size()) {
            throw new CommandException(
                    ErrorCode.BadValue, "BulkWrite ops entry '%s' has an invalid nsInfo index %d", kind, index);
        }
        return namespaces.get((int) index);
    }
}
