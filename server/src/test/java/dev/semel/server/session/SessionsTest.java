package dev.semel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("compares times")
class SessionsTest {
    private static final int SESSIONS = 100_000;

    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    private static SessionId colliding(long number) {
        return new SessionId(number * MULTIPLIER, number);
    }

    /** Otherwise a client that chooses such ids could keep the server busy with a few commands. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void sessionsWithEqualHashesAreFoundAsFastAsOthers() {
        assertThat(colliding(1)).hasSameHashCodeAs(colliding(2)).isNotEqualTo(colliding(2));
        var sessions = new Sessions(Duration.ofMinutes(30), SESSIONS, () -> 0, UUID::randomUUID);
        for (int i = 0; i < SESSIONS; i++) {
            sessions.use(colliding(i));
        }
        for (int i = 0; i < SESSIONS; i++) {
            assertThat(sessions.find(colliding(i))).isNotNull();
        }
        assertThat(sessions.count()).isEqualTo(SESSIONS);
    }
}
