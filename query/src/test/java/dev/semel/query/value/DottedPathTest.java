package dev.semel.query.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.wire.CommandException;
import org.junit.jupiter.api.Test;

class DottedPathTest {
    @Test
    void aPathHasAsManyPartsAsADocumentCanBeDeep() {
        String longest = "a.".repeat(DottedPath.PARTS_MAX - 1) + "a";
        assertThat(DottedPath.of(longest).size()).isEqualTo(DottedPath.PARTS_MAX);
        assertThatThrownBy(() -> DottedPath.of(longest + ".a"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("FieldPath is too long");
        assertThat(DottedPath.of("a..b.").parts()).containsExactly("a", "", "b", "");
    }

    @Test
    void aPathIsNotMegabytesLong() {
        assertThat(DottedPath.of("a".repeat(16 << 10)).size()).isEqualTo(1);
        assertThatThrownBy(() -> DottedPath.of("a".repeat((16 << 10) + 1)))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("FieldPath is too long");
    }
}
