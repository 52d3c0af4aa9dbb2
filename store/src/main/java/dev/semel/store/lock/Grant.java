package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import org.jspecify.annotations.Nullable;

/** A lock that an owner has: on a point, then in the point's list, or on a range. */
final class Grant {
    final LockOwner owner;
    final Space space;
    final @Nullable Point point;
    final @Nullable KeyRange range;
    LockMode mode;

    /** The next on the same point. */
    @Nullable
    Grant next;

    Grant(LockOwner owner, Space space, Point point, LockMode mode) {
        this.owner = owner;
        this.space = space;
        this.point = point;
        this.range = null;
        this.mode = mode;
    }

    Grant(LockOwner owner, Space space, KeyRange range, LockMode mode) {
        this.owner = owner;
        this.space = space;
        this.point = null;
        this.range = range;
        this.mode = mode;
    }

    KeyRange asRange() {
        return range != null ? range : KeyRange.point(point == null ? new byte[0] : point.key);
    }
}
