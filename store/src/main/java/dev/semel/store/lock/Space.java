package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one key space, and who waits for them. Served is who came first: a request also waits for earlier requests
 * that it could not share with, so that readers who come and go do not starve a writer. Guarded by the lock table.
 */
final class Space {
    final int number;
    private final NavigableMap<byte[], Point> points = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Grant> ranges = new ArrayList<>();
    private final List<Request> rangeWaiters = new ArrayList<>();
    private int waiters;

    Space(int number) {
        this.number = number;
    }

    // Asking

    /** Whether the owner has this, or more, already. */
    boolean covers(LockOwner owner, byte[] key, LockMode mode) {
        Point point = points.get(key);
        Grant own = point == null ? null : point.of(owner);
        if (own != null && own.mode.covers(mode)) {
            return true;
        }
        for (Grant each : ranges) {
            if (each.owner == owner && each.mode.covers(mode) && each.asRange().contains(key)) {
                return true;
            }
        }
        return false;
    }

    boolean covers(LockOwner owner, KeyRange range, LockMode mode) {
        for (Grant each : ranges) {
            if (each.owner == owner && each.mode.covers(mode) && each.asRange().contains(range)) {
                return true;
            }
        }
        return false;
    }

    /** A request for what the owner has not, joined with what it has on the same key. */
    Request request(LockOwner owner, byte[] key, LockMode mode) {
        Point point = points.get(key);
        Grant own = point == null ? null : point.of(owner);
        if (own != null) {
            return new Request(owner, this, key, null, own.mode.with(mode), true);
        }
        boolean withinOwn = ranges.stream()
                .anyMatch(each -> each.owner == owner && each.asRange().contains(key));
        return new Request(owner, this, key, null, mode, withinOwn);
    }

    Request request(LockOwner owner, KeyRange range, LockMode mode) {
        boolean overlapsOwn = ranges.stream()
                        .anyMatch(each -> each.owner == owner && each.asRange().overlaps(range))
                || pointsIn(range).values().stream().anyMatch(each -> each.of(owner) != null);
        return new Request(owner, this, null, range, mode, overlapsOwn);
    }

    boolean isBlocked(Request request) {
        return blocked(request, null);
    }

    /** Adds the owners that the request has to wait for. */
    void blockers(Request request, Collection<LockOwner> into) {
        blocked(request, into);
    }

    private boolean blocked(Request request, @Nullable Collection<LockOwner> into) {
        boolean blocked = false;
        if (request.key != null) {
            Point point = points.get(request.key);
            blocked = point != null && blockedAt(point, request, into);
        } else if (request.range != null) {
            for (Point point : pointsIn(request.range).values()) {
                blocked |= blockedAt(point, request, into);
                if (blocked && into == null) {
                    return true;
                }
            }
        }
        for (Grant each : ranges) {
            if (isAgainst(request, each.owner, each.mode) && request.touches(each.asRange())) {
                blocked |= note(each.owner, into);
            }
        }
        for (Request each : rangeWaiters) {
            if (isBefore(each, request) && each.touches(request.asRange())) {
                blocked |= note(each.owner, into);
            }
        }
        return blocked;
    }

    private static boolean blockedAt(Point point, Request request, @Nullable Collection<LockOwner> into) {
        boolean blocked = false;
        for (Grant each = point.first; each != null; each = each.next) {
            if (isAgainst(request, each.owner, each.mode)) {
                blocked |= note(each.owner, into);
            }
        }
        if (point.waiters != null) {
            for (Request each : point.waiters) {
                if (isBefore(each, request)) {
                    blocked |= note(each.owner, into);
                }
            }
        }
        return blocked;
    }

    private static boolean isAgainst(Request request, LockOwner owner, LockMode mode) {
        return owner != request.owner && !mode.isCompatible(request.mode);
    }

    private static boolean isBefore(Request other, Request request) {
        return !request.isUpgrade
                && (other.isUpgrade || other.number < request.number)
                && isAgainst(request, other.owner, other.mode);
    }

    private static boolean note(LockOwner owner, @Nullable Collection<LockOwner> into) {
        if (into != null) {
            into.add(owner);
        }
        return true;
    }

    // Granting

    /** Gives the owner what it asked for; says whether that is a lock more than before. */
    boolean grant(Request request) {
        LockOwner owner = request.owner;
        if (request.key == null) {
            Grant grant = new Grant(owner, this, request.asRange(), request.mode);
            ranges.add(grant);
            owner.grants.add(grant);
            return true;
        }
        Point point = points.computeIfAbsent(request.key, Point::new);
        Grant own = point.of(owner);
        if (own != null) {
            own.mode = request.mode;
            return false;
        }
        Grant grant = new Grant(owner, this, point, request.mode);
        point.add(grant);
        owner.grants.add(grant);
        return true;
    }

    void enqueue(Request request) {
        waiters++;
        if (request.key != null) {
            points.computeIfAbsent(request.key, Point::new).await(request);
        } else {
            rangeWaiters.add(request.isUpgrade ? 0 : rangeWaiters.size(), request);
        }
    }

    private void dequeue(Request request) {
        waiters--;
        if (request.key == null) {
            rangeWaiters.remove(request);
            return;
        }
        Point point = points.get(request.key);
        if (point != null && point.waiters != null) {
            point.waiters.remove(request);
        }
    }

    /** The request waits no more; whoever waited only for it may go on. Says how many locks were granted by that. */
    int cancel(Request request) {
        dequeue(request);
        return serve(request.asRange());
    }

    void remove(Grant grant) {
        Point point = grant.point;
        if (point == null) {
            ranges.remove(grant);
            return;
        }
        point.remove(grant);
        if (point.isUnused()) {
            points.remove(point.key);
        }
    }

    /** Something has become free here: grants what can be granted now, in the order of asking; says how many locks. */
    int serve(KeyRange freed) {
        if (waiters == 0) {
            return 0;
        }
        int granted = 0;
        for (Iterator<Point> each = pointsIn(freed).values().iterator(); each.hasNext(); ) {
            Point point = each.next();
            granted += serve(point);
            if (point.isUnused()) {
                each.remove();
            }
        }
        for (Request each : List.copyOf(rangeWaiters)) {
            granted += each.touches(freed) ? serve(each) : 0;
        }
        return granted;
    }

    private int serve(Point point) {
        int granted = 0;
        List<Request> waiting = point.waiters;
        if (waiting != null) {
            for (Request each : List.copyOf(waiting)) {
                granted += serve(each);
            }
        }
        return granted;
    }

    private int serve(Request request) {
        if (isBlocked(request)) {
            return 0;
        }
        dequeue(request);
        boolean more = grant(request);
        request.owner.waiting = null;
        request.granted();
        LockSupport.unpark(request.thread);
        return more ? 1 : 0;
    }

    private NavigableMap<byte[], Point> pointsIn(KeyRange range) {
        byte[] low = range.low();
        byte[] high = range.high();
        if (high == null) {
            return points.tailMap(low, true);
        }
        return points.subMap(low, true, range.isEmpty() ? low : high, false);
    }
}
