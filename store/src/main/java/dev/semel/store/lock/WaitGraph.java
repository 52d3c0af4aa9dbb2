package dev.semel.store.lock;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom, read off the requests when somebody begins to wait. That is the only moment at which a circle can
 * close, and it closes through him: whoever runs waits for nobody, so all other changes only add edges to those who run.
 */
final class WaitGraph {
    private WaitGraph() {}

    /** The owners of a circle, beginning with this one, who has just begun to wait; empty if there is none. */
    static List<LockOwner> circleThrough(LockOwner start) {
        if (!isWaitedFor(start)) {
            return List.of();
        }
        Map<LockOwner, @Nullable LockOwner> reachedFrom = new HashMap<>();
        Deque<LockOwner> open = new ArrayDeque<>();
        reachedFrom.put(start, null);
        open.push(start);
        List<LockOwner> last = new ArrayList<>(1);
        while (last.isEmpty() && !open.isEmpty()) {
            LockOwner owner = open.pop();
            LockRequest request = owner.waiting;
            if (request == null) {
                continue;
            }
            request.space.forEachBlocker(request, blocker -> {
                if (blocker == start) {
                    last.add(owner);
                } else if (!reachedFrom.containsKey(blocker)) {
                    reachedFrom.put(blocker, owner);
                    open.push(blocker);
                }
            });
        }
        return last.isEmpty() ? List.of() : way(last.getFirst(), reachedFrom);
    }

    private static List<LockOwner> way(LockOwner last, Map<LockOwner, @Nullable LockOwner> reachedFrom) {
        List<LockOwner> way = new ArrayList<>();
        for (LockOwner each = last; each != null; each = reachedFrom.get(each)) {
            way.add(each);
        }
        return way.reversed();
    }

    /** Spares most requests the search: who has just come, and holds nothing that others want, is in no circle. */
    private static boolean isWaitedFor(LockOwner owner) {
        LockRequest request = owner.waiting;
        if (request != null && isAhead(request)) {
            return true;
        }
        for (Segment each : owner.segments) {
            if (each.space.isWaitedFor(each, owner)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAhead(LockRequest request) {
        return request.space.waiting.getLast() != request;
    }
}
