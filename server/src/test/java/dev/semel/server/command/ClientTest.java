package dev.semel.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientTest {
    @Test
    void timeOfACommandGoesOnWhenItIsBegunAgain() {
        var client = new Client(1, "127.0.0.1:1", Client.Origin.MACHINE, Duration.ZERO);
        assertThat(client.beginning(() -> 5)).isEqualTo(5);
        client.gaveUp(5);
        assertThat(client.beginning(() -> 9)).isEqualTo(5);
        client.gaveUp(5);
        assertThat(client.beginning(() -> 11)).isEqualTo(5);
        assertThat(client.beginning(() -> 13)).isEqualTo(13);
    }
}
