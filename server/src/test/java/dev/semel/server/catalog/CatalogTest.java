package dev.semel.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CatalogTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");

    private final Stored stored = Stored.inMemory();

    @AfterEach
    void close() {
        stored.close();
    }

    private static RawDocument json(String text) {
        return Stored.json(text);
    }

    private static void fails(int code, String message, Runnable work) {
        assertThatExceptionOfType(CommandException.class).isThrownBy(work::run).satisfies(thrown -> {
            assertThat(thrown.code().number()).isEqualTo(code);
            assertThat(thrown.text()).isEqualTo(message);
        });
    }

    @Test
    void snapshotKeepsTheCatalogOfItsTime() {
        stored.insert(NAMESPACE, json("{_id: 1}"));
        try (Snapshot before = stored.transactions().snapshot()) {
            stored.ddl().drop(NAMESPACE, Ddl.Scope.own(Interruption.unlimited()));
            Collection old = stored.catalog().require(NAMESPACE, before);
            assertThat(before.get(Table.DOCUMENTS, old.key(Value.of(1)))).isNotNull();
        }
        try (Snapshot after = stored.transactions().snapshot()) {
            assertThat(stored.catalog().find(NAMESPACE, after)).isNull();
        }
    }

    /** Clients would wait for the commit of a new primary. */
    @Test
    void takingOverWhatIsCompleteCommitsNothing() {
        stored.insert(NAMESPACE, json("{_id: 1}"));
        long before = stored.transactions().visibleTime();
        stored.catalog().takeOver();
        assertThat(stored.transactions().visibleTime()).isEqualTo(before);
    }

    @Test
    void duplicateNamesIndexAndKeyAsMongoDbDoes() {
        stored.createIndexes(NAMESPACE, "{key: {a: 1, b: -1}, name: \"ab\", unique: true}");
        stored.insert(NAMESPACE, json("{_id: 1, a: 1}"));
        fails(
                11000,
                "E11000 duplicate key error collection: d.c index: ab dup key: { a: 1, b: null }",
                () -> stored.insert(NAMESPACE, json("{_id: 2, a: 1, b: null}")));
        fails(
                11000,
                "E11000 duplicate key error collection: d.c index: _id_ dup key: { _id: 1 }",
                () -> stored.insert(NAMESPACE, json("{_id: 1, a: 7}")));
        assertThat(stored.validate(NAMESPACE).get("valid")).isEqualTo(Value.TRUE);
    }

    @Test
    void failedIndexBuildLeavesNoTrace() {
        stored.insert(NAMESPACE, json("{_id: 1, a: 1, b: [1]}"), json("{_id: 2, a: 2}"), json("{_id: 3, a: 1}"));
        fails(
                11000,
                "Index build failed: 00000000-0000-0000-0000-000000000002: Collection d.c"
                        + " ( 00000000-0000-0000-0000-000000000001 ) :: caused by ::"
                        + " E11000 duplicate key error collection: d.c index: a dup key: { a: 1 }",
                () -> stored.createIndexes(
                        NAMESPACE, "{key: {b: 1}, name: \"b\"}", "{key: {a: 1}, name: \"a\", unique: true}"));
        try (Snapshot snapshot = stored.transactions().snapshot();
                var entries = snapshot.scan(Table.INDEXES, KeyRange.ALL, false);
                var builds = snapshot.scan(Table.CATALOG, CatalogRows.BUILDS, false)) {
            assertThat(stored.catalog().require(NAMESPACE, snapshot).indexes()).hasSize(1);
            assertThat(entries.next()).isFalse();
            assertThat(builds.next()).isFalse();
        }
    }

    @Test
    void indexRequestsThatConflictAreRefused() {
        stored.createIndexes(NAMESPACE, "{key: {a: 1}, name: \"a_1\"}");
        assertThat(code(() -> stored.createIndexes(NAMESPACE, "{key: {b: 1}, name: \"a_1\"}")))
                .isEqualTo(86);
        assertThat(code(() -> stored.createIndexes(NAMESPACE, "{key: {a: 1}, name: \"other\"}")))
                .isEqualTo(85);
        assertThat(code(() -> stored.createIndexes(NAMESPACE, "{key: {a: 1}, name: \"a_1\", hidden: true}")))
                .isEqualTo(85);
        assertThat(code(() -> stored.createIndexes(
                        NAMESPACE, "{key: {p: 1}, name: \"p\", partialFilterExpression: {p: {$exists: false}}}")))
                .isEqualTo(67);
        stored.createIndexes(NAMESPACE, "{key: {a: 1}, name: \"a_1\"}");
    }

    private static int code(Runnable work) {
        try {
            work.run();
            return 0;
        } catch (CommandException e) {
            return e.code().number();
        }
    }

    @Test
    void databasesThatDifferInCaseOnlyAreRefused() {
        stored.insert(NAMESPACE, json("{_id: 1}"));
        fails(
                13297,
                "db already exists with different case already have: [d] trying to create [D]",
                () -> stored.insert(new Namespace("D", "c"), json("{_id: 1}")));
    }

    @Test
    void arraysOfADroppedIndexAreNotForgottenByOldSnapshots() {
        stored.createIndexes(NAMESPACE, "{key: {a: 1}, name: \"a\"}");
        stored.insert(NAMESPACE, json("{_id: 1, a: [1, 2]}"));
        try (Snapshot before = stored.transactions().snapshot()) {
            stored.ddl()
                    .dropIndexes(
                            NAMESPACE, found -> found.indexes().subList(1, 2), Ddl.Scope.own(Interruption.unlimited()));
            Collection old = stored.catalog().require(NAMESPACE, before);
            assertThat(old.indexes()).hasSize(2);
            assertThat(old.indexes().get(1).isMultikey()).isTrue();
        }
    }

    @Test
    void validatorRefusesWhatDoesNotMatch() {
        CollectionOptions options =
                new CollectionOptions(json("{a: {$gt: 1}}"), null, null, null, null, null, null, null, null);
        stored.ddl().create(NAMESPACE, options, Ddl.Scope.own(Interruption.unlimited()));
        stored.insert(NAMESPACE, json("{_id: 1, a: 2}"));
        fails(121, "Document failed validation", () -> stored.insert(NAMESPACE, json("{_id: 2, a: 1}")));
        fails(121, "Document failed validation", () -> stored.update(NAMESPACE, json("{_id: 1, a: 0}")));
    }

    @Test
    void renamedCollectionKeepsDocumentsAndIndexes() {
        Namespace renamed = new Namespace("e", "x");
        stored.createIndexes(NAMESPACE, "{key: {a: 1}, name: \"a\"}");
        stored.insert(NAMESPACE, json("{_id: 1, a: [1, 2]}"));
        List<Namespace> gone = new ArrayList<>();
        stored.transactions().listen(new CommitListener() {
            @Override
            public void visible(CommitRecord record) {
                record.forEach(Fact.NamespaceGone.class, each -> gone.add(each.namespace()));
            }
        });
        stored.ddl().rename(NAMESPACE, renamed, false, Ddl.Scope.own(Interruption.unlimited()));
        assertThat(gone).containsExactly(NAMESPACE, renamed);
        assertThat(stored.validate(renamed).get("keysPerIndex"))
                .isEqualTo(Value.of(json("{_id_: {$numberLong: \"1\"}, a: {$numberLong: \"2\"}}")));
        fails(26, "ns does not exist: d.c", () -> stored.validate(NAMESPACE));
    }

    @Test
    void expiredDocumentsGoAndOthersStay() {
        stored.createIndexes(NAMESPACE, "{key: {at: 1}, name: \"at\", expireAfterSeconds: 3600}");
        stored.insert(
                NAMESPACE,
                json("{_id: 1, at: {$date: \"2025-01-01T00:00:00Z\"}}"),
                json("{_id: 2, at: {$date: \"2025-01-01T02:00:00Z\"}}"),
                json("{_id: 3, at: 5}"),
                json("{_id: 4}"));
        assertThat(stored.expiry().pass(Interruption.unlimited())).isZero();
        stored.moveClock(Duration.ofHours(1));
        assertThat(stored.expiry().pass(Interruption.unlimited())).isEqualTo(1);
        stored.moveClock(Duration.ofHours(5));
        assertThat(stored.expiry().pass(Interruption.unlimited())).isEqualTo(1);
        assertThat(stored.validate(NAMESPACE).get("nrecords")).isEqualTo(Value.of(2L));
    }

    @Test
    void textIndexesLetNothingExpire() {
        stored.createIndexes(NAMESPACE, "{key: {at: \"text\"}, name: \"at\", expireAfterSeconds: 0}");
        stored.insert(
                NAMESPACE,
                json("{_id: 1, at: {$date: \"2025-01-01T00:00:00Z\"}}"),
                json("{_id: 2, at: [\"word\", {$date: \"2025-01-01T00:00:00Z\"}]}"));
        stored.moveClock(Duration.ofHours(1));
        assertThat(stored.expiry().pass(Interruption.unlimited())).isZero();
    }

    @Test
    void measurementsGoWhenTheirTimeIsUp() {
        var series = new TimeSeries("at", null, "seconds", 3_600, null, 3_600L);
        Namespace measurements = new Namespace("db", "measurements");
        var options = new CollectionOptions(null, null, null, null, null, null, null, null, series);
        stored.ddl().create(measurements, options, Ddl.Scope.own(Interruption.unlimited()));
        stored.insert(
                measurements,
                json("{_id: 1, at: {$date: \"2025-01-01T00:00:00Z\"}}"),
                json("{_id: 1, at: {$date: \"2025-01-01T02:00:00Z\"}}"),
                json("{_id: 1, at: {$date: \"2025-01-01T02:00:00Z\"}}"));
        assertThat(stored.expiry().pass(Interruption.unlimited())).isZero();
        stored.moveClock(Duration.ofHours(1));
        assertThat(stored.expiry().pass(Interruption.unlimited())).isEqualTo(1);
        stored.moveClock(Duration.ofHours(5));
        assertThat(stored.expiry().pass(Interruption.unlimited())).isEqualTo(2);
        assertThat(stored.validate(measurements).get("valid")).isEqualTo(Value.TRUE);
    }
}
