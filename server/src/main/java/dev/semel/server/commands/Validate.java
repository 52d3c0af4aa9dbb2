package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.IndexBuilds;
import dev.semel.server.catalog.Validation;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.store.Snapshot;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;

/** {@code validate}: whether a collection and its indexes agree. It always looks at everything and never locks. */
final class Validate implements Command<Validate.Args> {
    private final Catalog catalog;
    private final Transactions transactions;
    private final IndexBuilds builds;
    private final ReplicaSet replicaSet;

    record Args(Namespace collection, boolean repair) {}

    Validate(Catalog catalog, Transactions transactions, IndexBuilds builds, ReplicaSet replicaSet) {
        this.builds = builds;
        this.replicaSet = replicaSet;
        this.catalog = catalog;
        this.transactions = transactions;
    }

    @Override
    public Spec spec() {
        return Spec.of("validate").needs(Rights.onCollection(Action.validate));
    }

    @Override
    public Args parse(Arguments in) {
        Namespace collection = in.collection("validate");
        // There is one way to validate, the thorough one, and it needs neither a lock nor a checkpoint.
        boolean full = in.bool("full", false);
        boolean background = in.bool("background", false);
        if (full && background) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "Running the validate command with both { background: true } and { full: true } is not supported.");
        }
        boolean metadata = in.bool("metadata", false);
        if (metadata && (full || background)) {
            throw metadataAlone();
        }
        in.ignored("scandata", "warnAboutLargeIds", "logDiagnostics");
        boolean conformance = in.bool("checkBSONConformance", false);
        boolean fastCount = in.bool("enforceFastCount", false);
        boolean repair = in.bool("repair", false);
        if (background && fastCount) {
            throw refused("{ background: true }", "{ enforceFastCount: true }");
        }
        if (background && repair) {
            throw refused("{ background: true }", "{ repair: true }");
        }
        if (conformance && repair) {
            throw refused("{ checkBSONConformance: true }", "{ repair: true }");
        }
        if (metadata && (fastCount || repair || conformance)) {
            throw metadataAlone();
        }
        // Which paths of an index have arrays is part of the commit that writes them: there is nothing to mend.
        boolean fixMultikey = in.bool("fixMultikey", false);
        if ((repair || fixMultikey) && replicaSet.name() != null) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "Running the validate command with { %s: true } can only be performed in standalone mode.",
                    repair ? "repair" : "fixMultikey");
        }
        return new Args(collection, repair);
    }

    private static CommandException refused(String one, String other) {
        return new CommandException(
                ErrorCode.InvalidOptions,
                "Running the validate command with both %s and %s is not supported.",
                one,
                other);
    }

    private static CommandException metadataAlone() {
        return new CommandException(
                ErrorCode.InvalidOptions,
                "Running the validate command with { metadata: true } is not supported with any other options");
    }

    @Override
    public Reply run(Args args, Call call) {
        Namespace namespace = args.collection();
        call.worksOn(namespace);
        Validation.Report report = validate(namespace, call);
        if (!args.repair() || report.areIndexesValid()) {
            return Reply.of(report.describe(false));
        }
        CatalogWork.result(builds.rebuild(namespace, call.interruption()), call);
        return Reply.of(validate(namespace, call).describe(true));
    }

    private Validation.Report validate(Namespace namespace, Call call) {
        try (Snapshot snapshot = transactions.snapshot()) {
            call.saw(snapshot);
            Collection collection = catalog.find(namespace, snapshot);
            if (collection == null) {
                throw new CommandException(
                        ErrorCode.NamespaceNotFound, "Collection '%s' does not exist to validate.", namespace);
            }
            return Validation.of(collection.requireDocuments(), snapshot, call.interruption());
        }
    }
}
