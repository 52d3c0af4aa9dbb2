package dev.semel.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OnlineIndexBuildTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");
    private static final String A = "{key: {a: 1}, name: \"a\"}";
    private static final String UNIQUE_A = "{key: {a: 1}, name: \"a\", unique: true}";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private static RawDocument json(String text, Object... values) {
        return Stored.json(text.formatted(values));
    }

    private static Stored twoDocuments() {
        Stored stored = Stored.inMemory();
        stored.insert(NAMESPACE, json("{_id: 1, a: 1}"), json("{_id: 2, a: 2}"));
        return stored;
    }

    /** Holds a document from the start, so that a build cannot pass it. */
    private static Transaction holding(Stored stored, RawDocument document) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(5));
        Transaction transaction = stored.transactions().begin(Isolation.STATEMENT, policy, Interruption.unlimited());
        transaction.lockExclusive(Table.DOCUMENTS, collection(stored).key(document));
        return transaction;
    }

    private static Collection collection(Stored stored) {
        Collection found = stored.catalog().newest(NAMESPACE);
        if (found == null) {
            throw new AssertionError("no collection");
        }
        return found;
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void awaitFilling(Stored stored) {
        await(() -> collection(stored).maintained().size()
                > collection(stored).secondary().size());
    }

    private static int code(Future<?> work) throws Exception {
        try {
            work.get(20, TimeUnit.SECONDS);
            return 0;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandException refused) {
                return refused.code().number();
            }
            throw e;
        }
    }

    /** Nor any that wait for old snapshots to go. */
    private static boolean hasNoEntries(Stored stored) {
        Transactions transactions = stored.transactions();
        transactions.options(transactions.options().withSnapshotsMax(1));
        transactions.reclaim();
        try (Snapshot snapshot = transactions.store().snapshot(transactions.visibleTime());
                Scan entries = snapshot.scan(Table.INDEXES, KeyRange.ALL, false);
                Scan builds = snapshot.scan(Table.CATALOG, CatalogRows.BUILDS, false)) {
            return !entries.next() && !builds.next();
        }
    }

    /** Writers would stand still for as long as a build of a large collection takes. */
    @Test
    void writersGoOnWhileAnIndexIsBuilt() throws Exception {
        try (Stored stored = Stored.inMemory()) {
            stored.insert(NAMESPACE, json("{_id: 1, a: 1}"), json("{_id: 2, a: 2}"), json("{_id: 3, a: 3}"));
            Future<?> build;
            try (Transaction held = holding(stored, json("{_id: 2}"))) {
                build = threads.submit(() -> stored.createIndexes(NAMESPACE, A));
                awaitFilling(stored);
                stored.update(NAMESPACE, json("{_id: 1, a: 10}"));
                stored.insert(NAMESPACE, json("{_id: 4, a: [4, 5]}"));
                stored.delete(NAMESPACE, Value.of(3));
                assertThat(collection(stored).indexes()).hasSize(1);
                assertThat(held.isOpen()).isTrue();
            }
            assertThat(code(build)).isZero();
            assertThat(collection(stored).indexes()).hasSize(2);
            assertThat(collection(stored).indexes().get(1).isMultikey()).isTrue();
            assertThat(stored.validate(NAMESPACE).get("valid")).isEqualTo(Value.TRUE);
        }
    }

    /** A unique index promises nothing before it exists, and everything from then on. */
    @Test
    void duplicatesThatAreGoneByTheEndDoNotMatter() throws Exception {
        try (Stored stored = twoDocuments()) {
            Future<?> build;
            try (Transaction held = holding(stored, json("{_id: 2}"))) {
                build = threads.submit(() -> stored.createIndexes(NAMESPACE, UNIQUE_A));
                awaitFilling(stored);
                stored.insert(NAMESPACE, json("{_id: 3, a: 1}"));
                stored.delete(NAMESPACE, Value.of(3));
                assertThat(held.isOpen()).isTrue();
            }
            assertThat(code(build)).isZero();
            assertThat(code(threads.submit(() -> stored.insert(NAMESPACE, json("{_id: 4, a: 1}")))))
                    .isEqualTo(11000);
        }
    }

    @Test
    void duplicatesThatCameWhileItWasBuiltMakeItFail() throws Exception {
        try (Stored stored = twoDocuments()) {
            Future<?> build;
            try (Transaction held = holding(stored, json("{_id: 2}"))) {
                build = threads.submit(() -> stored.createIndexes(NAMESPACE, UNIQUE_A));
                awaitFilling(stored);
                stored.insert(NAMESPACE, json("{_id: 3, a: 1}"));
                assertThat(held.isOpen()).isTrue();
            }
            assertThat(code(build)).isEqualTo(11000);
            assertThat(collection(stored).maintained()).isEmpty();
            assertThat(hasNoEntries(stored)).isTrue();
        }
    }

    /** What no index can hold is refused by the build, not by the writer who knows of no index. */
    @Test
    void documentsThatCannotBeIndexedMakeItFail() throws Exception {
        try (Stored stored = Stored.inMemory()) {
            stored.insert(NAMESPACE, json("{_id: 1}"), json("{_id: 2}"));
            Future<?> build;
            try (Transaction held = holding(stored, json("{_id: 2}"))) {
                build = threads.submit(() -> stored.createIndexes(NAMESPACE, "{key: {a: 1, b: 1}, name: \"ab\"}"));
                awaitFilling(stored);
                stored.insert(NAMESPACE, json("{_id: 3, a: [1, 2], b: [3, 4]}"));
                stored.insert(NAMESPACE, json("{_id: 4, a: [1, 2], b: [3, 4]}"));
                stored.update(NAMESPACE, json("{_id: 4, a: 1}"));
                assertThat(held.isOpen()).isTrue();
            }
            assertThat(code(build)).isEqualTo(171);
            assertThat(hasNoEntries(stored)).isTrue();
            stored.delete(NAMESPACE, Value.of(3));
            stored.createIndexes(NAMESPACE, "{key: {a: 1, b: 1}, name: \"ab\"}");
            assertThat(stored.validate(NAMESPACE).get("valid")).isEqualTo(Value.TRUE);
        }
    }

    @Test
    void secondBuildOfTheSameIndexWaitsForTheFirst() throws Exception {
        try (Stored stored = twoDocuments()) {
            Future<?> first;
            Future<IndexBuilds.Result> second;
            try (Transaction held = holding(stored, json("{_id: 2}"))) {
                first = threads.submit(() -> stored.createIndexes(NAMESPACE, A));
                awaitFilling(stored);
                second = threads.submit(create(stored, A));
                assertThat(held.isOpen()).isTrue();
            }
            assertThat(code(first)).isZero();
            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(new IndexBuilds.Result(2, 2, false, false));
        }
    }

    private static Callable<IndexBuilds.Result> create(Stored stored, String spec) {
        return () -> stored.builds()
                .create(NAMESPACE, List.of(IndexSpec.parse(json(spec))), Ddl.Scope.own(Interruption.unlimited()))
                .result();
    }

    @Test
    void dropOfTheCollectionEndsTheBuild() throws Exception {
        try (Stored stored = twoDocuments()) {
            try (Transaction held = holding(stored, json("{_id: 2}"))) {
                Future<?> build = threads.submit(() -> stored.createIndexes(NAMESPACE, A));
                awaitFilling(stored);
                stored.ddl().drop(NAMESPACE, Ddl.Scope.own(Interruption.unlimited()));
                assertThat(code(build)).isEqualTo(276);
                assertThat(held.isOpen()).isTrue();
            }
            assertThat(hasNoEntries(stored)).isTrue();
        }
    }

    @Test
    void killedBuildLeavesNothing() throws Exception {
        try (Stored stored = twoDocuments()) {
            Interruption interruption = Interruption.unlimited();
            try (Transaction held = holding(stored, json("{_id: 2}"))) {
                Future<?> build = threads.submit(() -> stored.builds()
                        .create(NAMESPACE, List.of(IndexSpec.parse(json(A))), Ddl.Scope.own(interruption)));
                awaitFilling(stored);
                interruption.kill(new CommandException(ErrorCode.Interrupted, "killed"));
                assertThat(code(build)).isEqualTo(11601);
                assertThat(held.isOpen()).isTrue();
            }
            assertThat(collection(stored).maintained()).isEmpty();
            assertThat(hasNoEntries(stored)).isTrue();
        }
    }

    /** A server that was killed in the middle of a build starts without the index, and without its entries. */
    @Test
    void unfinishedBuildIsGoneAfterACrash(@TempDir Path directory) {
        try (Stored stored = Stored.open(Stored.Engine.ROCKS, directory, new Random(1))) {
            stored.insert(NAMESPACE, json("{_id: 1, a: 1}"));
            CollectionEntry entry = collection(stored).entry();
            CollectionEntry.IndexEntry made = stored.catalog().factory().newIndex(IndexSpec.parse(json(A)));
            LockPolicy policy = LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, Duration.ofSeconds(5));
            try (Transaction change =
                    stored.transactions().begin(Isolation.STATEMENT, policy, Interruption.unlimited())) {
                change.put(Table.CATALOG, CatalogRows.build(made.number()), new byte[0]);
                stored.catalog().writer().put(entry.withIndexes(List.of(made.at(IndexStage.FILLING))), change);
                change.commit().awaitApplied();
            }
            stored.insert(NAMESPACE, json("{_id: 2, a: [2]}"));
            assertThat(hasNoEntries(stored)).isFalse();
        }
        try (Stored stored = Stored.open(Stored.Engine.ROCKS, directory, new Random(2))) {
            assertThat(collection(stored).maintained()).isEmpty();
            assertThat(hasNoEntries(stored)).isTrue();
            stored.createIndexes(NAMESPACE, A);
            assertThat(stored.validate(NAMESPACE).get("valid")).isEqualTo(Value.TRUE);
        }
    }

    /** Writers change documents at random while indexes come and go; what is in them is what the documents say. */
    @ParameterizedTest
    @EnumSource
    void entriesAreThoseOfTheDocuments(Stored.Engine engine, @TempDir Path directory) throws Exception {
        Seeds.check(3, random -> {
            Path folder = directory.resolve(Long.toString(random.nextLong()));
            try (Stored stored = Stored.open(engine, folder, random)) {
                changeBesideBuilds(stored, random);
            }
        });
    }

    private void changeBesideBuilds(Stored stored, Random initial) throws Exception {
        for (int id = 0; id < 3_000; id++) {
            stored.insert(NAMESPACE, random(id, initial));
        }
        AtomicBoolean isDone = new AtomicBoolean();
        List<Future<?>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            Random random = new Random(initial.nextLong());
            int share = writer;
            writers.add(threads.submit(() -> {
                while (!isDone.get()) {
                    write(stored, share + 4 * random.nextInt(1_000), random);
                }
            }));
        }
        try {
            for (int round = 0; round < 3; round++) {
                stored.createIndexes(
                        NAMESPACE, A, "{key: {b: -1, a: 1}, name: \"ba\", partialFilterExpression: {b: {$gt: 5}}}");
                assertThat(stored.validate(NAMESPACE).get("valid")).isEqualTo(Value.TRUE);
                stored.ddl()
                        .dropIndexes(
                                NAMESPACE,
                                found -> found.indexes().subList(1, 3),
                                Ddl.Scope.own(Interruption.unlimited()));
            }
        } finally {
            isDone.set(true);
        }
        for (Future<?> each : writers) {
            each.get(20, TimeUnit.SECONDS);
        }
        assertThat(hasNoEntries(stored)).isTrue();
    }

    private static RawDocument random(int id, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> json("{_id: %d, a: %d, b: %d}", id, random.nextInt(50), random.nextInt(10));
            case 1 -> json("{_id: %d, a: [%d, %d]}", id, random.nextInt(50), random.nextInt(50));
            default -> json("{_id: %d, b: %d}", id, random.nextInt(10));
        };
    }

    private static void write(Stored stored, int id, Random random) {
        stored.write(NAMESPACE, (collection, transaction) -> {
            RawDocument changed = random(id, random);
            byte[] key = collection.key(changed);
            transaction.lockExclusive(Table.DOCUMENTS, key);
            byte @Nullable [] stands = transaction.latest(Table.DOCUMENTS, key);
            if (stands == null) {
                collection.insert(transaction, changed);
            } else if (random.nextInt(4) == 0) {
                collection.delete(transaction, key, RawDocument.of(stands));
            } else {
                collection.update(transaction, key, RawDocument.of(stands), changed);
            }
        });
    }
}
