package dev.semel.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What a client has sent may be megabytes long, and is remembered in statistics, logs and replies. */
class LongNamesTest {
    @Test
    void namespaceThatNothingCanHaveIsRefusedByPartOfItsName() {
        assertThatThrownBy(() -> new Namespace("d", "c".repeat(5000)))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.InvalidNamespace))
                .hasMessage("Fully qualified namespace is too long. Namespace: d." + "c".repeat(255) + "... Max: 255");
        assertThat(new Namespace("d", "c".repeat(4096)).collection()).hasSize(4096);
    }

    @Test
    void messageIsCutBetweenCharacters() {
        String message = "a" + "\uD83D\uDE00".repeat(100_000);
        String cut = new CommandException(ErrorCode.BadValue, message).text();
        assertThat(cut).isEqualTo(message.substring(0, (64 << 10) - 1) + "...");
        assertThat(new CommandException(ErrorCode.BadValue, "short").text()).isEqualTo("short");
    }
}
