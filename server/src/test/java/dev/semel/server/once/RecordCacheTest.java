package dev.semel.server.once;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.session.SessionId;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A row that has been superseded would let a write that is sent again happen again. */
class RecordCacheTest {
    private static final SessionId SESSION = new SessionId(1, 1);
    private static final NumberRecord OLDER = new NumberRecord(new byte[NumberRecord.HEADER_BYTES]);
    private static final NumberRecord NEWER = new NumberRecord(new byte[NumberRecord.HEADER_BYTES]);

    private final RecordCache cache = new RecordCache(10_000);
    private long others;

    /** Enough of other sessions for the younger generation to become the older one. */
    private void turn() {
        for (int i = 0; i < 20; i++) {
            cache.put(new SessionId(2, others++), OLDER);
        }
    }

    private @Nullable NumberRecord cached() {
        return cache.get(SESSION, () -> {
            throw new AssertionError("not cached");
        });
    }

    @Test
    void whatIsFoundIsKept() {
        assertThat(cache.get(SESSION, () -> OLDER)).isSameAs(OLDER);
        assertThat(cached()).isSameAs(OLDER);
        turn();
        assertThat(cached()).isSameAs(OLDER);
        turn();
        AtomicInteger lookups = new AtomicInteger();
        cache.get(SESSION, () -> {
            lookups.incrementAndGet();
            return null;
        });
        assertThat(lookups).hasValue(1);
    }

    @Test
    void whatIsWrittenWhileAnOlderRowIsReadStays() {
        cache.get(SESSION, () -> {
            cache.put(SESSION, NEWER);
            return OLDER;
        });
        assertThat(cached()).isSameAs(NEWER);
    }

    @Test
    void andWhenTheGenerationsTurnMeanwhile() {
        cache.get(SESSION, () -> {
            cache.put(SESSION, NEWER);
            turn();
            return OLDER;
        });
        assertThat(cached()).isSameAs(NEWER);
    }

    @Test
    void orTurnBeforeItIsWritten() {
        cache.get(SESSION, () -> {
            turn();
            cache.put(SESSION, NEWER);
            return OLDER;
        });
        assertThat(cached()).isSameAs(NEWER);
        turn();
        assertThat(cached()).isSameAs(NEWER);
    }
}
