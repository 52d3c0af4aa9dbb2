package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.value.Collation;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Stored;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A scan that has to know what it has found already must not fill the heap with that. */
class SeenTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");
    private static final int DOCUMENTS = 200;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{a: {$gte: 0}}; {}",
                "{$or: [{a: {$gte: 0}}, {b: {$gte: 0}}]}; {}",
                "{a: {$in: [1, 2]}}; {b: 1}",
            })
    void whatHasBeenFoundIsCountedRefusedAndReleased(String filter, String sort) {
        try (Stored stored = Stored.inMemory()) {
            stored.insert(
                    NAMESPACE,
                    IntStream.range(0, DOCUMENTS)
                            .mapToObj(i -> Stored.json("{_id: %d, a: [1, 2], b: %d}".formatted(i, i)))
                            .toArray(RawDocument[]::new));
            stored.createIndexes(NAMESPACE, "{name: \"i\", key: {a: 1, b: 1}}");
            stored.createIndexes(NAMESPACE, "{name: \"j\", key: {b: 1}}");
            MemoryPart enough = part(1 << 20);
            assertThat(count(stored, filter, sort, enough)).isEqualTo(DOCUMENTS);
            assertThat(enough.bytes()).isZero();
            MemoryPart little = part(8_000);
            assertThatThrownBy(() -> count(stored, filter, sort, little))
                    .isInstanceOfSatisfying(
                            CommandException.class,
                            e -> assertThat(e.code().number()).isEqualTo(292));
            assertThat(little.bytes()).isZero();
        }
    }

    private static MemoryPart part(long bytesMax) {
        return MemoryAccount.unlimited().part("queries", "", () -> bytesMax);
    }

    private static long count(Stored stored, String filter, String sort, MemoryPart part) {
        QueryMemory memory = new QueryMemory(part, () -> Long.MAX_VALUE, null);
        Planner planner = new Planner(memory, new IndexFilters(), new PlanCache(part(1 << 20), () -> Instant.EPOCH));
        Query query = Query.of(stored.filter(Stored.json(filter)))
                .sorted(SortPattern.parse(Stored.json(sort), Collation.SIMPLE));
        try (Snapshot snapshot = stored.transactions().snapshot()) {
            Plan plan = planner.plan(
                    stored.catalog().require(NAMESPACE, snapshot), query, snapshot, Interruption.unlimited());
            try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                long found = 0;
                while (run.next()) {
                    found++;
                }
                return found;
            }
        }
    }
}
