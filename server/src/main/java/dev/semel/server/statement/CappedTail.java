package dev.semel.server.statement;

import dev.semel.query.filter.Filter;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.InsertionOrder;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Tail;
import dev.semel.server.follow.Follower;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The documents of a capped collection, those to come included. Each look is at the newest state. */
public final class CappedTail implements Tail {
    private final Transactions transactions;
    private final Follower follower;
    private final Catalog catalog;
    private final Collection collection;
    private final InsertionOrder order;
    private final Filter filter;
    private final UnaryOperator<RawDocument> shape;
    private final boolean waits;
    private final CurrentCall current;
    private Interruption interruption = Interruption.unlimited();
    private @Nullable Look look;
    private byte @Nullable [] last;
    private long seen;

    private record Look(Snapshot snapshot, Scan scan) {}

    /**
     * What a client follows.
     *
     * @param shape what is shown of each document
     * @param follower of changes of the collection; taken over
     * @param waits whether a batch waits for its first document
     */
    public CappedTail(
            Transactions transactions,
            Follower follower,
            Catalog catalog,
            Collection collection,
            InsertionOrder order,
            Filter filter,
            UnaryOperator<RawDocument> shape,
            boolean waits,
            CurrentCall current) {
        this.transactions = transactions;
        this.follower = follower;
        this.catalog = catalog;
        this.collection = collection;
        this.order = order;
        this.filter = filter;
        this.shape = shape;
        this.waits = waits;
        this.current = current;
    }

    @Override
    public void resume(Call call) {
        current.set(call);
        interruption = call.interruption();
        call.saw(transactions.visibleTime());
    }

    @Override
    public @Nullable RawDocument next() {
        Look at = look == null ? open() : look;
        while (at.scan.next()) {
            interruption.check();
            byte[] entry = at.scan.key();
            last = entry;
            byte[] stored = at.snapshot.get(Table.DOCUMENTS, order.documentKey(entry));
            if (stored != null && filter.matches(stored, 0)) {
                return shape.apply(RawDocument.of(stored));
            }
        }
        pause();
        return null;
    }

    private Look open() {
        Snapshot snapshot = transactions.snapshot();
        boolean opened = false;
        try {
            seen = snapshot.clusterTime();
            Look fresh = new Look(snapshot, snapshot.scan(Table.INDEXES, rest(snapshot), false));
            look = fresh;
            opened = true;
            return fresh;
        } finally {
            if (!opened) {
                snapshot.close();
            }
        }
    }

    private KeyRange rest(Snapshot snapshot) {
        Collection now = catalog.find(collection.namespace(), snapshot);
        if (now == null || now.number() != collection.number()) {
            throw new CommandException(
                    ErrorCode.QueryPlanKilled, "collection dropped or renamed: %s", collection.namespace());
        }
        KeyRange all = order.entries();
        byte[] position = last;
        if (position == null) {
            return all;
        }
        if (snapshot.get(Table.INDEXES, position) == null) {
            throw new CommandException(
                    ErrorCode.CappedPositionLost,
                    "CollectionScan died due to position in capped collection being deleted.");
        }
        return new KeyRange(KeyRange.successor(position), all.high());
    }

    @Override
    public boolean await(Duration atMost) {
        return follower.await(seen, interruption, atMost);
    }

    @Override
    public boolean waits() {
        return waits;
    }

    @Override
    public void pause() {
        Look open = look;
        if (open != null) {
            look = null;
            open.scan.close();
            open.snapshot.close();
        }
    }

    @Override
    public void close() {
        pause();
        follower.close();
    }
}
