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
import dev.semel.server.cursor.Batch;
import dev.semel.server.cursor.Collected;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.cursor.Opening;
import dev.semel.store.LiveTransaction;
import dev.semel.store.LockedRange;
import dev.semel.store.Transactions;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code showLiveTransactions}: which transactions are open and what they have locked; with {@code cursor}, as one. */
final class ShowLiveTransactions implements Command<ShowLiveTransactions.Args> {
    private static final int LOCKS_SHOWN_MAX = 1_000;
    private static final String MORE = "There are more locks than are shown";

    private final Transactions transactions;
    private final Catalog catalog;
    private final Cursors cursors;

    record Args(@Nullable Batch batch) {}

    ShowLiveTransactions(Transactions transactions, Catalog catalog, Cursors cursors) {
        this.transactions = transactions;
        this.catalog = catalog;
        this.cursors = cursors;
    }

    @Override
    public Spec spec() {
        return Spec.of("showLiveTransactions").needs(Rights.onCluster(Action.inprog));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.has("cursor") ? ListBatch.batch(in) : null);
    }

    @Override
    public Reply run(Args args, Call call) {
        List<RawDocument> all = describe();
        BsonWriter reply = new BsonWriter();
        Batch batch = args.batch();
        if (batch == null) {
            reply.startArray("transactions");
            all.forEach(reply::add);
            return Reply.of(reply.end());
        }
        Namespace namespace = new Namespace(call.database(), "$cmd.showLiveTransactions");
        cursors.open(reply, Opening.of(namespace, batch), new Collected(all), call);
        return Reply.of(reply);
    }

    private List<RawDocument> describe() {
        LockView view = LockView.of(catalog);
        List<RawDocument> all = new ArrayList<>();
        transactions.live().stream()
                .sorted(Comparator.comparingLong(LiveTransaction::id))
                .forEach(each -> describe(each, view, all));
        return all;
    }

    private void describe(LiveTransaction live, LockView view, List<RawDocument> all) {
        List<LockedRange> locked = transactions.locksOf(live.id(), LOCKS_SHOWN_MAX + 1);
        List<LockedRange> rows = locked.stream().filter(LockView::isRow).toList();
        boolean isLasting =
                live.kind() == LockPolicy.Kind.TOKUMX_TRANSACTION || live.kind() == LockPolicy.Kind.SESSION_TRANSACTION;
        if (!isLasting && rows.isEmpty()) {
            return;
        }
        BsonWriter out = new BsonWriter().put("txnid", live.id()).startArray("rowLocks");
        for (LockedRange each : rows.subList(0, Math.min(rows.size(), LOCKS_SHOWN_MAX))) {
            out.startDocument();
            view.write(out, each);
            out.end();
        }
        if (locked.size() > LOCKS_SHOWN_MAX) {
            out.add(MORE);
        }
        all.add(out.end().finish());
    }
}
