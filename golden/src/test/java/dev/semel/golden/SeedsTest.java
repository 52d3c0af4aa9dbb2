package dev.semel.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class SeedsTest {
    @Test
    void sameSeedRepeatsTheSameNumbers() {
        var drawn = new ArrayList<Long>();
        Seeds.check(1, 7L, "mvn", random -> drawn.add(random.nextLong()));
        Seeds.check(1, 7L, "mvn", random -> drawn.add(random.nextLong()));
        assertThat(drawn.get(0)).isEqualTo(drawn.get(1));
    }

    @Test
    void runsWithoutASeedDiffer() {
        var drawn = new HashSet<Long>();
        Seeds.check(20, null, "mvn", random -> drawn.add(random.nextLong()));
        assertThat(drawn).hasSize(20);
    }

    @Test
    void givenSeedRunsOnce() {
        var drawn = new ArrayList<Long>();
        Seeds.check(20, 7L, "mvn", random -> drawn.add(random.nextLong()));
        assertThat(drawn).hasSize(1);
    }

    @Test
    void failureStartsWithTheSeedAndTheCommandThatRepeatsIt() {
        assertThatThrownBy(() -> Seeds.check(1, 42L, "mvn test -Dtest=A", random -> {
                    throw new IllegalStateException("broken");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed 42; repeat with: mvn test -Dtest=A -Dseed=42\n")
                .hasMessageContaining("broken")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void commandNamesModuleClassAndMethod() {
        assertThatThrownBy(() -> Seeds.check(1, random -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessageContaining("mvn -Pquick test -pl golden -am -Dtest=SeedsTest -Dseed=");
    }

    @Test
    void emptySeedPropertyMeansNone() {
        assertThat(Seeds.given(null)).isNull();
        assertThat(Seeds.given(" ")).isNull();
        assertThat(Seeds.given(" -3 ")).isEqualTo(-3L);
    }
}
