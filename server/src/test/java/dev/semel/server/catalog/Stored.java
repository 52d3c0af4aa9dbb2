package dev.semel.server.catalog;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.Collation;
import dev.semel.store.Isolation;
import dev.semel.store.Snapshot;
import dev.semel.store.Store;
import dev.semel.store.Transaction;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryAccount;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** A catalog over a store, for tests of this package and of the planner. */
public final class Stored implements AutoCloseable {
    /** The engines that everything has to work on. */
    public enum Engine {
        MEMORY,
        ROCKS;

        Store open(Path directory) {
            return switch (this) {
                case MEMORY -> new MemoryStore();
                case ROCKS -> RocksStore.open(directory, RocksOptions.small());
            };
        }
    }

    private static final Pattern BARE_KEY = Pattern.compile("([{,]\\s*)([$\\w.]+):");
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(5));

    private final AtomicLong uuids = new AtomicLong();
    private final Random random;
    private final Transactions transactions;
    private final Catalog catalog;
    private final Ddl ddl;
    private final IndexBuilds builds;
    private Instant now = Instant.parse("2025-01-01T00:00:00Z");

    private Stored(Store store, Random random) {
        InstantSource clock = () -> now;
        this.random = random;
        this.transactions = Transactions.open(
                store, TransactionOptions.forHeap(256L * 1024 * 1024), clock, System::nanoTime, failure -> {
                    throw new AssertionError(failure);
                });
        this.catalog = Catalog.open(
                transactions,
                new StoredFilters(clock, random, QueryMemory.unlimited()),
                () -> new UUID(0, uuids.incrementAndGet()),
                Oplog.NONE,
                MemoryAccount.unlimited().part("catalog", "", () -> Long.MAX_VALUE));
        catalog.takeOver();
        this.ddl = new Ddl(catalog, () -> Duration.ofSeconds(5));
        this.builds = new IndexBuilds(ddl);
    }

    public static Stored open(Engine engine, Path directory, Random random) {
        return new Stored(engine.open(directory), random);
    }

    public static Stored inMemory() {
        return new Stored(new MemoryStore(), new Random(1));
    }

    /** JSON in which keys need no quotes. */
    public static RawDocument json(String text) {
        return Json.parse(BARE_KEY.matcher(text).replaceAll("$1\"$2\":"));
    }

    public Catalog catalog() {
        return catalog;
    }

    public Transactions transactions() {
        return transactions;
    }

    public Ddl ddl() {
        return ddl;
    }

    public IndexBuilds builds() {
        return builds;
    }

    public Expiry expiry() {
        return new Expiry(catalog, () -> now);
    }

    public void moveClock(Duration by) {
        now = now.plus(by);
    }

    public Filter filter(RawDocument filter) {
        return filter(filter, Collation.SIMPLE);
    }

    public Filter filter(RawDocument filter, Collation collation) {
        return Filters.parse(
                filter, new FilterScope(new Environment(now.toEpochMilli(), null, random)).under(collation));
    }

    /** One committed statement. */
    public void write(Namespace namespace, BiConsumer<Collection, Transaction> work) {
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
            work.accept(catalog.locks().forInsert(namespace, transaction), transaction);
            transaction.commit().awaitApplied();
        }
    }

    public void insert(Namespace namespace, RawDocument... documents) {
        write(namespace, (collection, transaction) -> {
            for (RawDocument each : documents) {
                collection.insert(transaction, each);
            }
        });
    }

    public void update(Namespace namespace, RawDocument after) {
        write(namespace, (collection, transaction) -> {
            byte[] key = collection.key(after);
            try (Snapshot view = transaction.view()) {
                RawDocument before = collection.document(view, key);
                if (before == null) {
                    throw new AssertionError("no document " + after);
                }
                collection.update(transaction, key, before, after);
            }
        });
    }

    public void delete(Namespace namespace, Value id) {
        write(namespace, (collection, transaction) -> {
            byte[] key = collection.key(id);
            try (Snapshot view = transaction.view()) {
                RawDocument before = collection.document(view, key);
                if (before == null) {
                    throw new AssertionError("no document " + id);
                }
                collection.delete(transaction, key, before);
            }
        });
    }

    public void createIndexes(Namespace namespace, String... specs) {
        List<IndexSpec> parsed = new ArrayList<>();
        for (String spec : specs) {
            parsed.add(IndexSpec.parse(json(spec)));
        }
        builds.create(namespace, parsed, Ddl.Scope.own(Interruption.unlimited()));
    }

    /** What {@code validate} answers. */
    public RawDocument validate(Namespace namespace) {
        try (Snapshot snapshot = transactions.snapshot()) {
            return Validation.of(catalog.require(namespace, snapshot), snapshot, Interruption.unlimited())
                    .describe(false)
                    .finish();
        }
    }

    @Override
    public void close() {
        catalog.close(true);
        transactions.close();
    }
}
