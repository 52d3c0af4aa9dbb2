package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.query.expression.QueryMemory;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Stored;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");
    private static final int DOCUMENTS = 3_000;

    private final Stored stored = Stored.inMemory();
    private final MemoryPart memory = MemoryAccount.unlimited().part("plans", "", () -> 4_000);
    private final PlanCache cache = new PlanCache(memory, () -> Instant.EPOCH);
    private final Planner planner = new Planner(QueryMemory.unlimited(), new IndexFilters(), cache);

    /** Of both a and b one half of the documents has a value of its own, and the other half 0. */
    @BeforeEach
    void create() {
        RawDocument[] documents = new RawDocument[DOCUMENTS];
        for (int i = 0; i < DOCUMENTS; i++) {
            documents[i] = Stored.json(
                    "{_id: %d, a: %d, b: %d}".formatted(i, i < DOCUMENTS / 2 ? i : 0, i < DOCUMENTS / 2 ? 0 : i));
        }
        stored.insert(NAMESPACE, documents);
        stored.createIndexes(NAMESPACE, "{name: \"a\", key: {a: 1}}", "{name: \"b\", key: {b: 1}}");
    }

    @AfterEach
    void close() {
        stored.close();
    }

    private record Answer(String plan, boolean wasCached, long returned, long keysExamined) {}

    private Answer find(String filter) {
        try (Snapshot snapshot = stored.transactions().snapshot()) {
            Collection collection = stored.catalog().require(NAMESPACE, snapshot);
            Query query = Query.of(stored.filter(Stored.json(filter)));
            Decision decision = planner.decide(collection, query, snapshot, Interruption.unlimited());
            try (Run run = decision.open(snapshot, Interruption.unlimited())) {
                long returned = 0;
                while (run.next()) {
                    assertThat(query.filter().matches(run.document())).isTrue();
                    returned++;
                }
                return new Answer(decision.plan().summary(), decision.isCached(), returned, run.keysExamined());
            }
        }
    }

    private List<RawDocument> entries() {
        try (Snapshot snapshot = stored.transactions().snapshot()) {
            return cache.describe(stored.catalog().require(NAMESPACE, snapshot));
        }
    }

    @Test
    void thePlanThatWonTwiceIsUsedWithoutATrial() {
        assertThat(find("{a: 5, b: 0}")).isEqualTo(new Answer("IXSCAN { a: 1 }", false, 1, 1));
        assertThat(find("{a: 6, b: 0}")).isEqualTo(new Answer("IXSCAN { a: 1 }", false, 1, 1));
        assertThat(find("{a: 7, b: 0}")).isEqualTo(new Answer("IXSCAN { a: 1 }", true, 1, 1));
    }

    @Test
    void aPlanThatNeedsTenTimesTheWorkGivesWayToOneThatDoesNot() {
        find("{a: 5, b: 0}");
        find("{a: 5, b: 0}");
        assertThat(find("{a: 0, b: 2000}")).isEqualTo(new Answer("IXSCAN { b: 1 }", false, 1, 1));
        // It won with no more work than the one before, so it is what counts now.
        assertThat(find("{a: 0, b: 2001}")).isEqualTo(new Answer("IXSCAN { b: 1 }", true, 1, 1));
    }

    @Test
    void aTrialThatNeedsMoreWorkExpectsMoreOfTheNextOne() {
        assertThat(entryAfter("{a: {$gte: 100, $lt: 103}, b: 0}")).containsExactly(Value.of(false), Value.of(4L));
        String nine = "{a: {$gte: 100, $lt: 109}, b: 0}";
        assertThat(entryAfter(nine)).containsExactly(Value.of(false), Value.of(8L));
        assertThat(entryAfter(nine)).containsExactly(Value.of(false), Value.of(16L));
        assertThat(entryAfter(nine)).containsExactly(Value.of(true), Value.of(10L));
    }

    private List<Value> entryAfter(String filter) {
        find(filter);
        RawDocument entry = entries().getFirst();
        return List.of(Objects.requireNonNull(entry.get("isActive")), Objects.requireNonNull(entry.get("works")));
    }

    @Test
    void resultsOfATrialAreNotReadAgain() {
        assertThat(find("{a: {$gte: 1, $lt: 1200}, b: {$lt: 1}}"))
                .isEqualTo(new Answer("IXSCAN { a: 1 }", false, 1_199, 1_199));
    }

    @Test
    void entriesTakeNoMoreMemoryThanThereIs() {
        for (int i = 0; i < 20; i++) {
            find("{a: 5, b: 0, x%d: null}".formatted(i));
            assertThat(memory.bytes()).isPositive().isLessThanOrEqualTo(4_000);
        }
        assertThat(entries().getLast().toString()).contains("x19");
        try (Snapshot snapshot = stored.transactions().snapshot()) {
            cache.clear(stored.catalog().require(NAMESPACE, snapshot));
        }
        assertThat(memory.bytes()).isZero();
    }
}
