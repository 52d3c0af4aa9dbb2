package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Validation;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.store.Snapshot;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;

/** {@code validate}: whether a collection and its indexes agree. It always looks at everything and never locks. */
final class Validate implements Command<Namespace> {
    private final Catalog catalog;
    private final Transactions transactions;

    Validate(Catalog catalog, Transactions transactions) {
        this.catalog = catalog;
        this.transactions = transactions;
    }

    @Override
    public Spec spec() {
        return Spec.of("validate").needs(Rights.onCollection(Action.validate));
    }

    @Override
    public Namespace parse(Arguments in) {
        Namespace collection = in.collection("validate");
        // There is one way to validate, the thorough one, and it needs neither a lock nor a checkpoint.
        boolean full = in.bool("full", false);
        boolean background = in.bool("background", false);
        if (full && background) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "Running the validate command with both { background: true } and { full: true } is not supported.");
        }
        if (in.bool("metadata", false) && (full || background)) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "Running the validate command with { metadata: true } is not supported with any other options");
        }
        in.ignored("scandata", "checkBSONConformance", "enforceFastCount", "warnAboutLargeIds", "logDiagnostics");
        if (in.bool("repair", false)) {
            in.notHonoured("repair");
        }
        if (in.bool("fixMultikey", false)) {
            in.notHonoured("fixMultikey");
        }
        return collection;
    }

    @Override
    public Reply run(Namespace namespace, Call call) {
        call.worksOn(namespace);
        try (Snapshot snapshot = transactions.snapshot()) {
            call.saw(snapshot);
            Collection collection = catalog.find(namespace, snapshot);
            if (collection == null) {
                throw new CommandException(
                        ErrorCode.NamespaceNotFound, "Collection '%s' does not exist to validate.", namespace);
            }
            return Reply.of(Validation.of(collection.requireDocuments(), snapshot, call.interruption()));
        }
    }
}
