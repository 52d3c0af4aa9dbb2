package dev.semel.store.lock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key that somebody has locked or waits for. */
final class Point {
    final byte[] key;

    /** The holders, as a list through {@link Grant#next}: mostly there is one. */
    @Nullable
    Grant first;

    /** In the order in which they are served; null as long as there has been none. */
    @Nullable
    List<Request> waiters;

    Point(byte[] key) {
        this.key = key;
    }

    @Nullable
    Grant of(LockOwner owner) {
        Grant grant = first;
        while (grant != null && grant.owner != owner) {
            grant = grant.next;
        }
        return grant;
    }

    void add(Grant grant) {
        grant.next = first;
        first = grant;
    }

    void remove(Grant grant) {
        if (first == grant) {
            first = grant.next;
            return;
        }
        Grant before = first;
        while (before != null && before.next != grant) {
            before = before.next;
        }
        if (before != null) {
            before.next = grant.next;
        }
    }

    void await(Request request) {
        if (waiters == null) {
            waiters = new ArrayList<>(2);
        }
        waiters.add(request.isUpgrade ? 0 : waiters.size(), request);
    }

    boolean isWaitedFor() {
        return waiters != null && !waiters.isEmpty();
    }

    boolean isUnused() {
        return first == null && !isWaitedFor();
    }
}
