package dev.semel.store.lock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Who waits for whom. A circle can only come about when somebody begins to wait, so it is enough to look then, from the
 * one who does. Guarded by the lock table.
 */
final class WaitForGraph {
    private WaitForGraph() {}

    /** The owners of a circle through this waiting owner, itself first; empty if there is none. */
    static List<LockOwner> circle(LockOwner from) {
        List<LockOwner> way = new ArrayList<>();
        return reaches(from, from, way, new HashSet<>()) ? way : List.of();
    }

    private static boolean reaches(LockOwner goal, LockOwner from, List<LockOwner> way, Set<LockOwner> seen) {
        Request waiting = from.waiting;
        if (waiting == null || !seen.add(from)) {
            return false;
        }
        way.add(from);
        for (LockOwner each : blockers(waiting)) {
            if (each == goal || reaches(goal, each, way, seen)) {
                return true;
            }
        }
        way.removeLast();
        return false;
    }

    static Set<LockOwner> blockers(Request request) {
        Set<LockOwner> blockers = new LinkedHashSet<>();
        request.space.blockers(request, blockers);
        return blockers;
    }
}
