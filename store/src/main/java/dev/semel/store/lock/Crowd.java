package dev.semel.store.lock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Several owners with locks on the same keys. They may be thousands, such as all who mean to write into one collection, so
 * nothing here looks at each of them unless one of them is in the way.
 */
final class Crowd {
    private static final LockMode[] MODES = LockMode.values();

    private final Map<Holding, LockMode> modes = new LinkedHashMap<>();
    private final int[] counts = new int[MODES.length];

    int size() {
        return modes.size();
    }

    Iterable<Holding> holdings() {
        return modes.keySet();
    }

    @Nullable
    LockMode mode(Holding holding) {
        return modes.get(holding);
    }

    void put(Holding holding, LockMode mode) {
        LockMode before = modes.put(holding, mode);
        if (before != null) {
            counts[before.ordinal()]--;
        }
        counts[mode.ordinal()]++;
    }

    void remove(Holding holding) {
        LockMode before = modes.remove(holding);
        if (before != null) {
            counts[before.ordinal()]--;
        }
    }

    boolean isAll(LockMode mode) {
        return counts[mode.ordinal()] == modes.size();
    }

    /** True as soon as the visitor returns true for an owner that conflicts with such a lock. */
    boolean anyConflict(@Nullable Holding own, LockMode mode, Predicate<LockOwner> visitor) {
        if (conflicts(own, mode) == 0) {
            return false;
        }
        for (Map.Entry<Holding, LockMode> each : modes.entrySet()) {
            if (each.getKey() != own && !each.getValue().isCompatible(mode) && visitor.test(each.getKey().owner)) {
                return true;
            }
        }
        return false;
    }

    private int conflicts(@Nullable Holding own, LockMode mode) {
        int conflicts = 0;
        for (LockMode each : MODES) {
            conflicts += each.isCompatible(mode) ? 0 : counts[each.ordinal()];
        }
        LockMode has = own == null ? null : modes.get(own);
        return has == null || has.isCompatible(mode) ? conflicts : conflicts - 1;
    }
}
