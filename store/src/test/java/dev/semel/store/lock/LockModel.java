package dev.semel.store.lock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a lock table should do, written without any thought of speed. Keys are single bytes; cell 2k stands for the key k
 * and cell 2k+1 for all keys between it and the next.
 */
final class LockModel {
    record Request(long owner, int from, int to, LockMode mode, boolean upgrade, int place) {
        boolean overlaps(Request other) {
            return from < other.to && other.from < to;
        }

        boolean isAheadOf(Request other) {
            return upgrade != other.upgrade ? upgrade : place < other.place;
        }
    }

    /** Owner to cell to mode. */
    private final Map<Long, Map<Integer, LockMode>> held = new TreeMap<>();

    private final List<Request> waiting = new ArrayList<>();
    private int places;

    Set<Long> waitingOwners() {
        Set<Long> owners = new TreeSet<>();
        waiting.forEach(each -> owners.add(each.owner));
        return owners;
    }

    /** True if granted at once. */
    boolean request(long owner, int from, int to, LockMode mode) {
        Map<Integer, LockMode> own = held.computeIfAbsent(owner, id -> new TreeMap<>());
        boolean upgrade = false;
        boolean covered = true;
        for (int cell = from; cell < to; cell++) {
            LockMode has = own.get(cell);
            upgrade |= has != null;
            covered &= has != null && has.covers(mode);
        }
        if (covered) {
            return true;
        }
        places++;
        Request request = new Request(owner, from, to, mode, upgrade, places);
        if (blockers(request).isEmpty()) {
            grant(request);
            return true;
        }
        waiting.add(request);
        return false;
    }

    private void grant(Request request) {
        Map<Integer, LockMode> own = held.computeIfAbsent(request.owner, id -> new TreeMap<>());
        for (int cell = request.from; cell < request.to; cell++) {
            own.merge(cell, request.mode, LockMode::with);
        }
    }

    Set<Long> blockersOf(long owner) {
        Request request = requestOf(owner);
        return request == null ? Set.of() : blockers(request);
    }

    private @Nullable Request requestOf(long owner) {
        return waiting.stream().filter(each -> each.owner == owner).findFirst().orElse(null);
    }

    private Set<Long> blockers(Request request) {
        Set<Long> blockers = new TreeSet<>();
        held.forEach((owner, cells) -> {
            if (owner != request.owner) {
                for (int cell = request.from; cell < request.to; cell++) {
                    LockMode mode = cells.get(cell);
                    if (mode != null && !mode.isCompatible(request.mode)) {
                        blockers.add(owner);
                    }
                }
            }
        });
        for (Request other : waiting) {
            if (other.owner != request.owner
                    && other.isAheadOf(request)
                    && other.overlaps(request)
                    && !other.mode.isCompatible(request.mode)) {
                blockers.add(other.owner);
            }
        }
        return blockers;
    }

    boolean waitsForItself(long owner) {
        Set<Long> reached = new HashSet<>();
        List<Long> open = new ArrayList<>(blockersOf(owner));
        while (!open.isEmpty()) {
            long next = open.removeLast();
            if (next == owner) {
                return true;
            }
            if (reached.add(next)) {
                open.addAll(blockersOf(next));
            }
        }
        return false;
    }

    void release(long owner) {
        held.remove(owner);
        settle();
    }

    void withdraw(long owner) {
        waiting.removeIf(each -> each.owner == owner);
        settle();
    }

    private void settle() {
        List<Request> inOrder = new ArrayList<>(waiting);
        inOrder.sort((a, b) -> a.isAheadOf(b) ? -1 : 1);
        for (Request each : inOrder) {
            if (blockers(each).isEmpty()) {
                waiting.remove(each);
                grant(each);
            }
        }
    }
}
