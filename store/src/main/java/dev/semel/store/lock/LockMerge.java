package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replaces an owner's locks on points by one range from the lowest to the highest, per collection or index (the first
 * four bytes of a key), unless somebody else has a lock in between that does not go with it. So an update of very many
 * documents costs others some concurrency instead of the server its memory.
 */
final class LockMerge {
    private static final int PREFIX_BYTES = 4;

    private LockMerge() {}

    private record Group(Space space, int prefix) {}

    static void merge(LockOwner owner) {
        Map<Group, List<Grant>> groups = new HashMap<>();
        for (Grant each : owner.grants) {
            boolean isRow = each.mode == LockMode.SHARED || each.mode == LockMode.EXCLUSIVE;
            if (each.point != null && isRow) {
                groups.computeIfAbsent(new Group(each.space, prefix(each.point.key)), group -> new ArrayList<>())
                        .add(each);
            }
        }
        groups.forEach((group, grants) -> {
            if (grants.size() > 1) {
                merge(owner, group.space, grants);
            }
        });
    }

    private static void merge(LockOwner owner, Space space, List<Grant> grants) {
        byte[] low = grants.getFirst().asRange().low();
        byte[] high = low;
        LockMode mode = LockMode.SHARED;
        for (Grant each : grants) {
            byte[] key = each.asRange().low();
            low = Arrays.compareUnsigned(key, low) < 0 ? key : low;
            high = Arrays.compareUnsigned(key, high) > 0 ? key : high;
            mode = mode.with(each.mode);
        }
        Request whole = new Request(owner, space, null, KeyRange.closed(low, high), mode, true);
        if (!space.isBlocked(whole)) {
            space.grant(whole);
            Set<Grant> merged = new HashSet<>(grants);
            owner.grants.removeIf(merged::contains);
            grants.forEach(space::remove);
        }
    }

    private static int prefix(byte[] key) {
        int prefix = 0;
        for (int i = 0; i < Math.min(PREFIX_BYTES, key.length); i++) {
            prefix = (prefix << 8) | (key[i] & 0xFF);
        }
        return prefix;
    }
}
