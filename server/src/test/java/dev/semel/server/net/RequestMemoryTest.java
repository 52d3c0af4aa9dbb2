package dev.semel.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Several clients whose messages take most of the memory for requests get on, one after the other. */
class RequestMemoryTest {
    private static final long PART_BYTES = 58_000_000;
    private static final long BEGUN_BYTES = 4_000_000;
    private static final long MESSAGE_BYTES = 45_000_000;
    private static final int CLIENTS = 5;

    private final MemoryPart part =
            new MemoryAccount("account", 160_000_000).part("requests", "requestBytesTotalMax", () -> PART_BYTES);
    private final Semaphore beyond = new Semaphore(1);

    @Test
    void largeRequestsDoNotWaitForWhatEachHasBegun() throws Exception {
        var allHaveBegun = new CountDownLatch(CLIENTS);
        List<Future<?>> received = new ArrayList<>();
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CLIENTS; i++) {
                received.add(clients.submit(() -> {
                    RequestMemory memory = new RequestMemory(part, beyond, () -> false, System::nanoTime);
                    memory.reserve(BEGUN_BYTES);
                    allHaveBegun.countDown();
                    allHaveBegun.await();
                    try {
                        memory.reserve(MESSAGE_BYTES);
                        memory.release(MESSAGE_BYTES);
                    } finally {
                        memory.release(BEGUN_BYTES);
                    }
                    return null;
                }));
            }
        }

        for (Future<?> each : received) {
            each.get();
        }
        assertThat(part.bytes()).isZero();
        assertThat(beyond.availablePermits()).isOne();
    }
}
