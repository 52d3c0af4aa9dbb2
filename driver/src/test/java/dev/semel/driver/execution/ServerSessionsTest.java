package dev.semel.driver.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A session that the server has forgotten would fail the operation that gets it. */
class ServerSessionsTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final ServerSessions sessions = new ServerSessions(() -> 30, nanos::get, UUID::randomUUID);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void sessionIsUsedAgainUntilOneMinuteBeforeItsTimeout() {
        ServerSession session = sessions.acquire();
        sessions.release(session);
        pass(Duration.ofMinutes(29).minusNanos(1));
        assertThat(sessions.acquire()).isSameAs(session);
        sessions.release(session);
        assertThat(sessions.drain()).containsExactly(session.identifier());
        pass(Duration.ofNanos(1));
        sessions.release(session);
        assertThat(sessions.drain()).isEmpty();
        assertThat(sessions.acquire()).isNotSameAs(session);
    }

    @Test
    void sessionThatIsUsedStaysUsable() {
        ServerSession session = sessions.acquire();
        pass(Duration.ofMinutes(20));
        session.used();
        pass(Duration.ofMinutes(20));
        sessions.release(session);
        assertThat(sessions.acquire()).isSameAs(session);
    }

    @Test
    void sessionsThatExpireLeaveThePoolWithTheNextThatComesBack() {
        ServerSession old = sessions.acquire();
        ServerSession young = sessions.acquire();
        sessions.release(old);
        pass(Duration.ofMinutes(29));
        young.used();
        sessions.release(young);
        assertThat(sessions.drain()).containsExactly(young.identifier());
    }
}
