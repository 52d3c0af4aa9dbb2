package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    @Test
    void swappedNeighboursAreOneMistake() {
        assertThat(Nearest.distance("--prot", "--port")).isEqualTo(1);
    }

    @Test
    void lettersOfOtherCaseAreNoMistake() {
        assertThat(Nearest.distance("--replset", "--replSet")).isZero();
    }

    @Test
    void theFewestMistakesWin() {
        assertThat(Nearest.of("--dpath", List.of("--port", "--logpath", "--dbpath")))
                .isEqualTo("--dbpath");
    }

    @Test
    void theFirstInTheAlphabetWinsATie() {
        assertThat(Nearest.of("x", List.of("b", "a"))).isEqualTo("a");
    }
}
