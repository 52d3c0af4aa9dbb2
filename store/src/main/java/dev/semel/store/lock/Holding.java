package dev.semel.store.lock;

import java.util.ArrayList;
import java.util.List;

/** What one owner has in one key space. Guarded by the mutex of the space. */
final class Holding {
    final LockOwner owner;
    final LockSpace space;

    /** In no order. May list some that are {@link Segment#gone}. */
    private final List<Segment> segments = new ArrayList<>(2);

    private int gone;

    Holding(LockOwner owner, LockSpace space) {
        this.owner = owner;
        this.space = space;
    }

    void add(Segment segment) {
        segments.add(segment);
    }

    /** How many segments it has. */
    int size() {
        return segments.size() - gone;
    }

    List<Segment> segments() {
        return segments.stream().filter(each -> !each.gone).toList();
    }

    /** Below this number of segments. */
    void addTo(List<HeldLock> held, int limit) {
        for (Segment each : segments) {
            if (held.size() >= limit) {
                return;
            }
            LockMode mode = each.gone ? null : each.mode(this);
            if (mode != null) {
                held.add(new HeldLock(owner.id(), space.number, each.range(), mode));
            }
        }
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    /** One that is taken from the list; perhaps it is {@link Segment#gone}. There must be one. */
    Segment removeLast() {
        Segment last = segments.removeLast();
        if (last.gone) {
            gone--;
        }
        return last;
    }

    /** One of the segments has become part of another. */
    void lost() {
        gone++;
        if (gone > segments.size() / 2) {
            segments.removeIf(each -> each.gone);
            gone = 0;
        }
    }
}
