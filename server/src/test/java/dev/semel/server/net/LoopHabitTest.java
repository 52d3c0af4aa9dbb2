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

    /** How many are afforded, each for another command. */
    private int afforded() {
        int afforded = 0;
        while (habit.affordsPreparation()) {
            afforded++;
            habit.ranShared();
        }
        return afforded;
    }

    @Test
    void preparationsAreAffordedWhileMostCommandsNeedNone() {
        // Each of these earns a part of the next ones.
        int atOnce = afforded();
        assertThat(atOnce)
                .isEqualTo((LoopHabit.PREPARATIONS_MAX * LoopHabit.COMMANDS_PER_PREPARATION - 1)
                        / (LoopHabit.COMMANDS_PER_PREPARATION - 1));
        for (int i = 0; i < 10 * LoopHabit.COMMANDS_PER_PREPARATION; i++) {
            habit.ranShared();
        }
        assertThat(afforded()).isEqualTo(13);
        stay(LoopHabit.STAY_MIN);
        assertThat(afforded()).isEqualTo(atOnce);
    }

    @Test
    void oneCommandGetsFewPreparations() {
        for (int i = 0; i < LoopHabit.PREPARATIONS_OF_COMMAND_MAX; i++) {
            assertThat(habit.affordsPreparation()).isTrue();
        }
        assertThat(habit.affordsPreparation()).isFalse();
        habit.ranShared();
        assertThat(habit.affordsPreparation()).isTrue();
    }
}
