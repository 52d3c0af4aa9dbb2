package dev.semel.server.commands;

import dev.semel.query.value.Collation;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Arguments;
import dev.semel.server.once.Fingerprint;
import dev.semel.server.statement.Bypass;
import dev.semel.server.statement.Fingerprints;
import dev.semel.server.statement.Write;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code findAndModify} asks for.
 *
 * @param modification null to remove the document
 */
record FindAndModifyArgs(
        Namespace collection,
        RawDocument query,
        RawDocument sort,
        @Nullable Value modification,
        boolean returnNew,
        boolean upsert,
        RawDocument fields,
        List<RawDocument> arrayFilters,
        @Nullable Value hint,
        RawDocument let,
        Bypass bypass,
        @Nullable Collation collation) {

    static FindAndModifyArgs parse(Arguments in) {
        boolean remove = in.bool("remove", false);
        FindAndModifyArgs args = new FindAndModifyArgs(
                in.collection("findAndModify"),
                in.documentOrEmpty("query"),
                in.documentOrEmpty("sort"),
                in.has("update") ? WriteArgs.modification(in, "update") : null,
                in.bool("new", false),
                in.bool("upsert", false),
                in.documentOrEmpty("fields"),
                Options.documents(in, "arrayFilters"),
                Options.hint(in),
                in.documentOrEmpty("let"),
                Options.bypass(in),
                Options.collation(in));
        args.check(remove, in.has("arrayFilters"));
        in.notHonoured("collectionUUID", "encryptionInformation");
        return args;
    }

    /** As the statement that it is, to be run for one document. */
    Write.Update toUpdate(Value change) {
        return new Write.Update(
                collection,
                query,
                change,
                false,
                upsert,
                arrayFilters,
                hint,
                sort,
                RawDocument.EMPTY,
                let,
                null,
                bypass,
                collation);
    }

    /** The same for one that removes. */
    Write.Delete toDelete() {
        return new Write.Delete(collection, query, false, hint, sort, let, collation);
    }

    /** By which it is recognised when its token comes again. */
    Fingerprint fingerprint() {
        RawDocument answer =
                new BsonWriter().put("new", returnNew).put("fields", fields).finish();
        return Fingerprints.of("findAndModify", modification == null ? toDelete() : toUpdate(modification), answer);
    }

    /** Its answer shows the document. */
    List<Privilege> demands() {
        List<Privilege> demands =
                new ArrayList<>(WriteRights.of(List.of(modification == null ? toDelete() : toUpdate(modification))));
        demands.add(Privilege.onCollection(collection, Action.find));
        return demands;
    }

    private void check(boolean remove, boolean filtersArrays) {
        if (!remove && modification == null) {
            throw refused("Either an update or remove=true must be specified");
        }
        if (!remove) {
            return;
        }
        if (modification != null) {
            throw refused("Cannot specify both an update and remove=true");
        }
        if (upsert) {
            throw refused("Cannot specify both upsert=true and remove=true");
        }
        if (returnNew) {
            throw refused("Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
        }
        if (filtersArrays) {
            throw refused("Cannot specify arrayFilters and remove=true");
        }
    }

    private static CommandException refused(String why) {
        return new CommandException(ErrorCode.FailedToParse, why);
    }
}
