package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Compaction;
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
import dev.semel.wire.bson.BsonWriter;

/** {@code compact}: gives disk space back that a collection and its indexes no longer need, beside readers and writers. */
final class Compact implements Command<Compact.Args> {
    private final Catalog catalog;
    private final Transactions transactions;
    private final Compaction compaction;
    private final ReplicaSet replicaSet;

    record Args(Namespace collection, boolean force, boolean dryRun, long bytesFreeMin) {}

    Compact(Catalog catalog, Transactions transactions, Compaction compaction, ReplicaSet replicaSet) {
        this.catalog = catalog;
        this.transactions = transactions;
        this.compaction = compaction;
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("compact").with(Spec.Trait.OUTSIDE_TRANSACTION).needs(Rights.onCollection(Action.compact));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(
                in.collection("compact"),
                in.bool("force", false),
                in.bool("dryRun", false),
                Math.min(in.atLeast("freeSpaceTargetMB", 1, 0), Long.MAX_VALUE >> 20) << 20);
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        if (replicaSet.name() != null && replicaSet.isWritablePrimary() && !args.force()) {
            throw new CommandException(
                    ErrorCode.IllegalOperation,
                    "will not run compact on an active replica set primary as this will slow down other running"
                            + " operations. use force:true to force");
        }
        Collection collection = collection(args.collection());
        if (args.dryRun()) {
            return Reply.of(new BsonWriter().put("estimatedBytesFreed", compaction.estimate(collection)));
        }
        // Less than the client finds worth the work stays as it is.
        boolean isWorthwhile = args.bytesFreeMin() == 0 || compaction.estimate(collection) >= args.bytesFreeMin();
        long freed = isWorthwhile ? compaction.run(collection, call.interruption()) : 0;
        return Reply.of(new BsonWriter().put("bytesFreed", freed));
    }

    private Collection collection(Namespace namespace) {
        try (Snapshot snapshot = transactions.snapshot()) {
            Collection found = catalog.find(namespace, snapshot);
            if (found == null) {
                throw new CommandException(ErrorCode.NamespaceNotFound, "collection does not exist");
            }
            if (found.view() != null) {
                throw new CommandException(ErrorCode.CommandNotSupportedOnView, "can't compact a view");
            }
            return found;
        }
    }
}
