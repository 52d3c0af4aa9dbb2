package dev.semel.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoopHabitTest {
    private final LoopHabit habit = new LoopHabit();

    private void run(int commands) {
        for (int i = 0; i < commands; i++) {
            habit.ran(true);
        }
    }

    private void stay(int commands) {
        for (int i = 0; i < commands; i++) {
            habit.ranShared();
        }
        habit.left();
    }

    @Test
    void anotherCommandBeginsTheRowAgain() {
        run(LoopHabit.ROW_MIN - 1);
        assertThat(habit.suggestsLoop()).isFalse();
        habit.ran(false);
        run(LoopHabit.ROW_MIN - 1);
        assertThat(habit.suggestsLoop()).isFalse();
        run(1);
        assertThat(habit.suggestsLoop()).isTrue();
    }

    @Test
    void whoLeavesSoonComesBackLater() {
        for (int row = LoopHabit.ROW_MIN; row < LoopHabit.ROW_MAX; row *= 2) {
            run(row - 1);
            assertThat(habit.suggestsLoop()).isFalse();
            run(1);
            assertThat(habit.suggestsLoop()).isTrue();
            stay(LoopHabit.STAY_MIN - 1);
        }
        stay(0);
        run(LoopHabit.ROW_MAX - 1);
        assertThat(habit.suggestsLoop()).isFalse();
        run(1);
        assertThat(habit.suggestsLoop()).isTrue();
        stay(LoopHabit.STAY_MIN);
        run(LoopHabit.ROW_MIN);
        assertThat(habit.suggestsLoop()).isTrue();
    }

    @Test
    void preparationsAreAffordedWhileMostCommandsNeedNone() {
        for (int i = 0; i < LoopHabit.PREPARATIONS_MAX; i++) {
            assertThat(habit.affordsPreparation()).isTrue();
        }
        assertThat(habit.affordsPreparation()).isFalse();
        for (int i = 0; i < LoopHabit.COMMANDS_PER_PREPARATION; i++) {
            assertThat(habit.affordsPreparation()).isFalse();
            habit.ranShared();
        }
        assertThat(habit.affordsPreparation()).isTrue();
        assertThat(habit.affordsPreparation()).isFalse();
        stay(LoopHabit.STAY_MIN);
        stay(0);
        for (int i = 0; i < LoopHabit.PREPARATIONS_MAX; i++) {
            assertThat(habit.affordsPreparation()).isTrue();
        }
        assertThat(habit.affordsPreparation()).isFalse();
    }
}
