package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.server.command.ReadConcern;
import dev.semel.server.session.OpenTransaction;
import dev.semel.store.Snapshot;
import dev.semel.store.Transactions;

/** Opens what a read command reads: its transaction's view, the newest state, or that of the time it names. */
public final class Reads {
    private final Transactions transactions;

    public Reads(Transactions transactions) {
        this.transactions = transactions;
    }

    /** The caller closes it. */
    public Snapshot open(Call call) {
        OpenTransaction inside = call.transaction();
        if (inside != null) {
            return inside.transaction().view();
        }
        ReadConcern concern = call.readConcern();
        Snapshot snapshot;
        if (concern.atClusterTime() != 0) {
            snapshot = transactions.snapshotAt(concern.atClusterTime());
        } else if (concern.level() == ReadConcern.Level.SNAPSHOT) {
            snapshot = transactions.namedSnapshot();
        } else {
            snapshot = transactions.snapshot();
        }
        call.saw(snapshot);
        return snapshot;
    }

    /** The time to be named to a client that asked for a snapshot, so that others can read the same one; 0 otherwise. */
    public static long named(Snapshot snapshot, Call call) {
        return call.transaction() == null && call.readConcern().level() == ReadConcern.Level.SNAPSHOT
                ? snapshot.clusterTime()
                : 0;
    }
}
