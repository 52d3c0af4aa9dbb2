package dev.semel.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.store.Batch;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.memory.MemoryStore;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counting after a crash: it must not keep a snapshot for ever, nor a client that has a limit. */
@Timeout(60)
class SizesTest {
    private static final Interruption UNLIMITED = Interruption.unlimited();

    private final MemoryStore store = new MemoryStore();
    private final Watched snapshot;
    private final Sizes sizes = new Sizes();

    SizesTest() {
        var batch = new Batch();
        for (byte collection = 1; collection <= 2; collection++) {
            for (byte document = 0; document < 3 * collection; document++) {
                batch.put(Table.DOCUMENTS, new byte[] {0, 0, 0, collection, document}, new byte[10]);
            }
        }
        store.write(batch, false);
        snapshot = new Watched(store.snapshot(1));
    }

    @Test
    void everythingIsCountedAndTheSnapshotReleased() {
        sizes.load(snapshot, List.of(1, 2));
        assertThat(sizes.isCounting()).isTrue();
        sizes.countAll(UNLIMITED);
        assertThat(sizes.isCounting()).isFalse();
        assertThat(snapshot.isClosed).isTrue();
        assertThat(sizes.of(1, UNLIMITED)).isEqualTo(new Sizes.Total(3, 30));
        assertThat(sizes.of(2, UNLIMITED)).isEqualTo(new Sizes.Total(6, 60));
    }

    @Test
    void aCollectionThatIsDroppedNeedNotBeCounted() {
        sizes.load(snapshot, List.of(1, 2));
        sizes.remove(1);
        assertThat(snapshot.isClosed).isFalse();
        sizes.remove(2);
        assertThat(snapshot.isClosed).isTrue();
    }

    @Test
    void waitForTheCountOfAnotherThreadCanBeInterrupted() throws Exception {
        sizes.load(snapshot, List.of(1));
        snapshot.gate = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var background = threads.submit(() -> sizes.countAll(UNLIMITED));
            snapshot.scanning.await();
            var expired = Interruption.at(() -> 1, 0);
            assertThatExceptionOfType(CommandException.class)
                    .isThrownBy(() -> sizes.of(1, expired))
                    .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.MaxTimeMSExpired));
            var stopped = killed();
            assertThatExceptionOfType(CommandException.class)
                    .isThrownBy(() -> sizes.of(1, stopped))
                    .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.Interrupted));
            var patient = threads.submit(() -> sizes.of(1, UNLIMITED));
            snapshot.gate.countDown();
            background.get();
            assertThat(patient.get()).isEqualTo(new Sizes.Total(3, 30));
        }
        assertThat(snapshot.isClosed).isTrue();
    }

    @Test
    void aCollectionThatIsDroppedWhileItIsCountedKeepsTheSnapshotOpenUntilThen() throws Exception {
        sizes.load(snapshot, List.of(1));
        snapshot.gate = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var background = threads.submit(() -> sizes.countAll(UNLIMITED));
            snapshot.scanning.await();
            sizes.remove(1);
            assertThat(snapshot.isClosed).isFalse();
            snapshot.gate.countDown();
            background.get();
        }
        assertThat(snapshot.isClosed).isTrue();
    }

    private static Interruption killed() {
        var killed = Interruption.unlimited();
        killed.kill(new CommandException(ErrorCode.Interrupted, "operation was interrupted"));
        return killed;
    }

    /** A snapshot whose scans wait at a gate, and that tells whether it is closed. */
    private static final class Watched implements Snapshot {
        private final Snapshot inner;
        private final CountDownLatch scanning = new CountDownLatch(1);
        private CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean isClosed;

        Watched(Snapshot inner) {
            this.inner = inner;
        }

        @Override
        public byte @Nullable [] get(Table table, byte[] key) {
            return inner.get(table, key);
        }

        @Override
        public Scan scan(Table table, KeyRange range, boolean reverse) {
            scanning.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return inner.scan(table, range, reverse);
        }

        @Override
        public long clusterTime() {
            return inner.clusterTime();
        }

        @Override
        public void close() {
            isClosed = true;
            inner.close();
        }
    }
}
