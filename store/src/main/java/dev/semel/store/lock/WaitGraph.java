package dev.semel.store.lock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which owners wait for which, derived from the requests when an owner begins to wait. Only then can a cycle
 * close, and it closes through that owner: running owners wait for none, so all other changes only add edges to running owners.
 *
 * <p>For the holder of the table's mutex for waits; it takes the mutexes of the spaces one by one. That is enough: those
 * who wait neither take locks nor release any, so the edges between them stay as they are.
 */
final class WaitGraph {
    private final LockOwner start;
    private final Map<LockOwner, @Nullable LockOwner> reachedFrom = new HashMap<>();
    private final Deque<LockOwner> open = new ArrayDeque<>();

    /** Whose holders have all been reached by a request of such a mode. */
    private final Set<SegmentSeen> segmentsSeen = new HashSet<>();

    /** Up to which place in a line all requests of a mode have been reached. */
    private final Map<LineSeen, Long> linesSeen = new HashMap<>();

    /** Who waits for the one at the start, if that has been found. */
    private @Nullable LockOwner last;

    /** By identity, which is what segments compare by. */
    private record SegmentSeen(Segment segment, LockMode wanted) {}

    private record LineSeen(Line line, LockMode mode) {}

    private WaitGraph(LockOwner start) {
        this.start = start;
    }

    /** The owners of a cycle, beginning with this one, which has just begun to wait; empty if there is none. */
    static List<LockOwner> cycleThrough(LockOwner start) {
        return isWaitedFor(start) ? new WaitGraph(start).search() : List.of();
    }

    private List<LockOwner> search() {
        reachedFrom.put(start, null);
        open.push(start);
        while (last == null && !open.isEmpty()) {
            LockOwner owner = open.pop();
            LockRequest request = owner.waiting;
            if (request != null) {
                follow(request);
            }
        }
        return way();
    }

    private void follow(LockRequest request) {
        LockSpace space = request.space;
        space.mutex.lock();
        try {
            followHolders(request, space);
            followQueue(request, space);
        } finally {
            space.mutex.unlock();
        }
    }

    private void followHolders(LockRequest request, LockSpace space) {
        Holding own = request.owner.in(space);
        for (Segment at = space.first(request.range); at != null; at = space.next(at, request.range)) {
            // Not after the first request: its owner's own lock is no obstacle to that alone.
            if (request.owner == start || segmentsSeen.add(new SegmentSeen(at, request.mode))) {
                at.anyConflict(own, request.mode, blocker -> reach(blocker, request.owner));
            }
        }
    }

    private void followQueue(LockRequest request, LockSpace space) {
        space.lines.anyOverlapping(request.range, line -> {
            for (LockMode mode : Line.MODES) {
                if (!mode.isCompatible(request.mode)) {
                    for (LockRequest before : notSeen(line, mode, request.order)) {
                        reach(before.owner, request.owner);
                    }
                }
            }
            return last != null;
        });
    }

    /** Those before a place who have not been reached through this line yet: else a queue would cost its square. */
    private Collection<LockRequest> notSeen(Line line, LockMode mode, long order) {
        LineSeen key = new LineSeen(line, mode);
        @Nullable Long seen = linesSeen.get(key);
        if (seen != null && seen >= order) {
            return List.of();
        }
        linesSeen.put(key, order);
        return seen == null
                ? line.of(mode).headMap(order, false).values()
                : line.of(mode).subMap(seen, true, order, false).values();
    }

    /** True if the cycle is closed. */
    private boolean reach(LockOwner blocker, LockOwner from) {
        if (blocker == start) {
            if (from != start) {
                last = from;
            }
        } else if (!reachedFrom.containsKey(blocker)) {
            reachedFrom.put(blocker, from);
            open.push(blocker);
        }
        return last != null;
    }

    private List<LockOwner> way() {
        List<LockOwner> way = new ArrayList<>();
        for (LockOwner each = last; each != null; each = reachedFrom.get(each)) {
            way.add(each);
        }
        return way.reversed();
    }

    /** Saves most requests the search: an owner that is new and holds nothing that others want is in no cycle. */
    private static boolean isWaitedFor(LockOwner owner) {
        LockRequest request = owner.waiting;
        if (request != null
                && request.space.lines.anyOverlapping(
                        request.range, line -> line.isWaitedForBehind(request.mode, request.order, request.owner))) {
            return true;
        }
        for (Holding each : owner.holdings()) {
            if (isWaitedFor(each)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWaitedFor(Holding holding) {
        holding.space.mutex.lock();
        try {
            return holding.space.isWaitedFor(holding);
        } finally {
            holding.space.mutex.unlock();
        }
    }
}
