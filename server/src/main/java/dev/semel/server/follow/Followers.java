package dev.semel.server.follow;

import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.Transactions;
import dev.semel.wire.Namespace;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Threads that wait for changes, by what they watch: a commit wakes those that it concerns, however many others wait. It
 * costs next to nothing if there are none.
 */
public final class Followers implements CommitListener {
    private final Transactions transactions;
    private final Map<Interest, Set<Follower>> all = new ConcurrentHashMap<>();

    /** Of the newest commit that any follower was notified of, or would have been. */
    private volatile long newest;

    /** Of the commits of a database. */
    public Followers(Transactions transactions) {
        this.transactions = transactions;
        transactions.listen(this);
    }

    /** The caller closes it. */
    public Follower follow(Interest interest) {
        Follower follower = new Follower(transactions, leaving -> leave(interest, leaving));
        all.compute(interest, (same, others) -> {
            Set<Follower> followers = others == null ? ConcurrentHashMap.newKeySet() : others;
            followers.add(follower);
            return followers;
        });
        // Not before it is known to commits: one that has missed it has left its time.
        follower.touched(newest);
        follower.touched(transactions.visibleTime());
        return follower;
    }

    private void leave(Interest interest, Follower leaving) {
        all.computeIfPresent(interest, (same, followers) -> {
            followers.remove(leaving);
            return followers.isEmpty() ? null : followers;
        });
    }

    @Override
    public void applied(CommitRecord record) {
        newest = record.clusterTime();
        if (all.isEmpty()) {
            return;
        }
        Set<Interest> concerned = new LinkedHashSet<>();
        record.forEach(Fact.Touched.class, touched -> {
            Namespace namespace = touched.namespace();
            concerned.add(Interest.EVERYTHING);
            concerned.add(new Interest.OfDatabase(namespace.database()));
            concerned.add(new Interest.OfCollection(namespace));
        });
        concerned.forEach(each -> tell(each, record.clusterTime()));
    }

    private void tell(Interest interest, long clusterTime) {
        Set<Follower> followers = all.get(interest);
        if (followers != null) {
            followers.forEach(each -> each.touched(clusterTime));
        }
    }
}
