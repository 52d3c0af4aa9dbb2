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
                .contains("--dbpath");
    }

    @Test
    void theFirstInTheAlphabetWinsATie() {
        assertThat(Nearest.of("porx", List.of("porb", "pora"))).contains("pora");
    }

    @Test
    void whatIsNotNearIsNotSuggested() {
        assertThat(Nearest.of("--foo", List.of("--port", "--fork"))).isEmpty();
        assertThat(Nearest.of("frobnicate", List.of("import", "export", "completion")))
                .isEmpty();
        assertThat(Nearest.of("-x", List.of("-v", "-f"))).isEmpty();
        assertThat(Nearest.hint("--foo", List.of("--port"))).isEmpty();
    }
}
