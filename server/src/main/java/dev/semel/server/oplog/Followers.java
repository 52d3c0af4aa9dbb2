package dev.semel.server.oplog;

import dev.semel.store.Transactions;
import dev.semel.wire.Namespace;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who follows the log, by what they want to hear of: a commit wakes those whom it concerns, however many others wait. It
 * costs nothing where nobody follows.
 */
final class Followers {
    private final Map<Interest, Set<Follower>> all = new ConcurrentHashMap<>();

    /** Of the newest commit that anybody was told of, or would have been. */
    private volatile long newest;

    /** The caller closes it. */
    Follower follow(Interest interest, Transactions transactions) {
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

    /** By the committer: the entry of this time, which nobody can see yet, is the last that tells of these. */
    void touched(Collection<Namespace> collections, long clusterTime) {
        newest = clusterTime;
        if (all.isEmpty()) {
            return;
        }
        tell(Interest.EVERYTHING, clusterTime);
        String last = "";
        for (Namespace each : collections) {
            tell(new Interest.OfCollection(each), clusterTime);
            if (!each.database().equals(last)) {
                last = each.database();
                tell(new Interest.OfDatabase(last), clusterTime);
            }
        }
    }

    private void tell(Interest interest, long clusterTime) {
        Set<Follower> followers = all.get(interest);
        if (followers != null) {
            followers.forEach(each -> each.touched(clusterTime));
        }
    }
}
