package dev.semel.store.lock;

import static dev.semel.store.lock.LockMode.EXCLUSIVE;
import static dev.semel.store.lock.LockMode.INTENT_EXCLUSIVE;
import static dev.semel.store.lock.LockMode.INTENT_SHARED;
import static dev.semel.store.lock.LockMode.SHARED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables of lock modes. */
class LockModeTest {
    private static final Map<LockMode, Set<LockMode>> COMPATIBLE = Map.of(
            INTENT_SHARED, Set.of(INTENT_SHARED, INTENT_EXCLUSIVE, SHARED),
            INTENT_EXCLUSIVE, Set.of(INTENT_SHARED, INTENT_EXCLUSIVE),
            SHARED, Set.of(INTENT_SHARED, SHARED),
            EXCLUSIVE, Set.of());

    @ParameterizedTest
    @EnumSource
    void compatibilityIsThatOfTheTable(LockMode mode) {
        for (LockMode other : LockMode.values()) {
            assertThat(mode.isCompatible(other))
                    .as("%s beside %s", mode, other)
                    .isEqualTo(COMPATIBLE.getOrDefault(mode, Set.of()).contains(other));
        }
    }

    /** A mode covers another if whatever is kept out by the other is kept out by it. */
    @ParameterizedTest
    @EnumSource
    void modeCoversWhatKeepsOutNoMore(LockMode mode) {
        for (LockMode other : LockMode.values()) {
            assertThat(mode.covers(other))
                    .as("%s covers %s", mode, other)
                    .isEqualTo(COMPATIBLE
                            .getOrDefault(other, Set.of())
                            .containsAll(COMPATIBLE.getOrDefault(mode, Set.of())));
        }
    }

    @ParameterizedTest
    @EnumSource
    void strongerOfTwoCoversBoth(LockMode mode) {
        for (LockMode other : LockMode.values()) {
            assertThat(mode.with(other).covers(mode)).isTrue();
            assertThat(mode.with(other).covers(other)).isTrue();
        }
    }
}
