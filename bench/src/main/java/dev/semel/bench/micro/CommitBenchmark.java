package dev.semel.bench.micro;

import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Store;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a one-row commit costs: locks, write set, group commit; in memory, on disk, and on disk with the sync awaited. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class CommitBenchmark {
    private static final int CLIENTS = 64;
    private static final int COMMITS_PER_CLIENT = 50;
    private static final long ROWS = 100_000;
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(4));

    @Param({"memory", "rocks", "rocks-durable"})
    private String store = "memory";

    private final byte[] document = new byte[1024];
    private final AtomicLong next = new AtomicLong();
    private Path directory = Path.of("");
    private Transactions transactions = open(new MemoryStore());

    @Setup(Level.Trial)
    public void open() throws IOException {
        transactions.close();
        directory = Files.createTempDirectory("commit-benchmark");
        transactions = open(
                store.equals("memory")
                        ? new MemoryStore()
                        : RocksStore.open(directory, RocksOptions.forMemory(2L << 30, 0)));
    }

    private static Transactions open(Store store) {
        return Transactions.open(
                store,
                TransactionOptions.forHeap(Runtime.getRuntime().maxMemory()),
                InstantSource.system(),
                System::nanoTime,
                cause -> {
                    throw new IllegalStateException(cause);
                });
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        transactions.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(CommitBenchmark::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Benchmark
    public void oneClient() {
        commit();
    }

    /** One operation is one commit. */
    @Benchmark
    @org.openjdk.jmh.annotations.OperationsPerInvocation(CLIENTS * COMMITS_PER_CLIENT)
    public void manyClients() throws InterruptedException {
        List<Thread> clients = new ArrayList<>(CLIENTS);
        for (int client = 0; client < CLIENTS; client++) {
            clients.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < COMMITS_PER_CLIENT; i++) {
                    commit();
                }
            }));
        }
        for (Thread each : clients) {
            each.join();
        }
    }

    private void commit() {
        byte[] key = ByteBuffer.allocate(12)
                .putInt(1)
                .putLong(next.getAndIncrement() % ROWS)
                .array();
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
            transaction.lockCollection(1, LockMode.INTENT_EXCLUSIVE);
            transaction.lockExclusive(Table.DOCUMENTS, key);
            transaction.put(Table.DOCUMENTS, key, document);
            Commit commit = transaction.commit();
            if (store.equals("rocks-durable")) {
                commit.awaitDurable();
            } else {
                commit.awaitApplied();
            }
        }
    }
}
