package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.LockView;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.store.PendingRequest;
import dev.semel.store.Transactions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;

/** {@code showPendingLockRequests}: which transactions wait for a lock, and for which others. */
final class ShowPendingLockRequests implements Command<ShowPendingLockRequests.Args> {
    record Args() {}

    private final Transactions transactions;
    private final Catalog catalog;

    ShowPendingLockRequests(Transactions transactions, Catalog catalog) {
        this.transactions = transactions;
        this.catalog = catalog;
    }

    @Override
    public Spec spec() {
        return Spec.of("showPendingLockRequests").needs(Rights.onCluster(Action.inprog));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        LockView view = LockView.of(catalog);
        BsonWriter out = new BsonWriter().startArray("requests");
        for (PendingRequest each : transactions.pendingRequests()) {
            out.startDocument();
            view.write(out, each.locked());
            out.put("requestingTxnid", each.requester());
            if (!each.blockers().isEmpty()) {
                out.put("blockingTxnid", each.blockers().getFirst().longValue());
            }
            out.put("started", new Value.Date(each.since().toEpochMilli())).end();
        }
        return Reply.of(out.end());
    }
}
