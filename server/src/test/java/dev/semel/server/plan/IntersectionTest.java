package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Filter;
import dev.semel.query.value.Collation;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Stored;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.MemoryAccount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Two indexes together find what each of their scans leads to, and are used where that is little. */
class IntersectionTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");

    @Test
    void manyWithEachValueAndFewWithBoth() {
        try (Stored stored = Stored.inMemory();
                Snapshot snapshot = overlapping(stored)) {
            Collection collection = stored.catalog().require(NAMESPACE, snapshot);
            Query query = Query.of(stored.filter(Stored.json("{a: 1, b: 1, c: {$gte: 0}}")));
            try (Decision decision = new Planner().explain(collection, query, snapshot, Interruption.unlimited())) {
                assertThat(decision.plan()).isInstanceOf(Plan.Intersection.class);
                try (Run run = decision.open(snapshot, Interruption.unlimited())) {
                    assertThat(keys(run)).hasSize(10);
                    assertThat(run.documentsExamined()).isEqualTo(10);
                    assertThat(run.keysExamined()).isLessThan(30);
                    BsonWriter explained = new BsonWriter();
                    Explain.executionStats(explained, query, decision, run, 10, 0, false);
                    assertThat(explained.finish().toString())
                            .contains("\"stage\": \"FETCH\"", "\"stage\": \"AND_SORTED\"", "\"inputStages\": [");
                }
            }
        }
    }

    @Test
    void countsNeedNoDocuments() {
        try (Stored stored = Stored.inMemory();
                Snapshot snapshot = overlapping(stored)) {
            Collection collection = stored.catalog().require(NAMESPACE, snapshot);
            Query query = Query.of(stored.filter(Stored.json("{a: 1, b: 1}"))).withoutDocuments();
            Plan plan = new Planner().plan(collection, query, snapshot);
            assertThat(plan).isInstanceOf(Plan.Intersection.class);
            try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                assertThat(keys(run)).hasSize(10);
                assertThat(run.documentsExamined()).isZero();
            }
        }
    }

    /** One index alone is as good where one of the values is rare. */
    @Test
    void oneIndexWinsWhereItsValueIsRare() {
        try (Stored stored = Stored.inMemory();
                Snapshot snapshot = overlapping(stored)) {
            Collection collection = stored.catalog().require(NAMESPACE, snapshot);
            Query query = Query.of(stored.filter(Stored.json("{a: 1, b: 1005}")));
            assertThat(new Planner().plan(collection, query, snapshot)).isInstanceOf(Plan.IndexScan.class);
        }
    }

    private static Snapshot overlapping(Stored stored) {
        RawDocument[] documents = new RawDocument[400];
        for (int i = 0; i < documents.length; i++) {
            documents[i] = Stored.json("{_id: %d, a: %d, b: %d, c: %d}"
                    .formatted(i, i < 210 ? 1 : 1000 + i, i < 200 ? 1000 + i : 1, i % 7));
        }
        stored.insert(NAMESPACE, documents);
        stored.createIndexes(NAMESPACE, "{name: \"a\", key: {a: 1}}");
        stored.createIndexes(NAMESPACE, "{name: \"b\", key: {b: -1}}");
        return stored.transactions().snapshot();
    }

    // ---- whether it wins or not

    @Test
    void everyIntersectionFindsWhatALookAtEveryDocumentFinds() {
        Seeds.check(40, random -> {
            try (Stored stored = Stored.inMemory()) {
                check(stored, random);
            }
        });
    }

    private static void check(Stored stored, Random random) {
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            documents.add(Stored.json("{_id: %s%s%s%s}"
                    .formatted(
                            random.nextBoolean() ? i : "\"" + i + "\"",
                            field("a", random),
                            field("b", random),
                            field("c", random))));
        }
        stored.insert(NAMESPACE, documents.toArray(RawDocument[]::new));
        for (String key : List.of("{a: 1}", "{b: -1}", "{c: 1}", "{a: -1, c: 1}")) {
            String name = key.replaceAll("\\W", "");
            stored.createIndexes(NAMESPACE, "{name: \"%s\", key: %s}".formatted(name, key));
        }
        try (Snapshot snapshot = stored.transactions().snapshot()) {
            Collection collection = stored.catalog().require(NAMESPACE, snapshot);
            int tried = 0;
            for (int i = 0; i < 30; i++) {
                Filter filter = stored.filter(Stored.json("{a: %s, b: %s, c: %s}"
                        .formatted(value(random), value(random), random.nextBoolean() ? value(random) : "{$gte: 1}")));
                TreeSet<String> expected = new TreeSet<>();
                documents.stream()
                        .filter(filter::matches)
                        .forEach(each -> expected.add(String.valueOf(each.get("_id"))));
                for (Contender each : contenders(collection, filter, snapshot)) {
                    tried++;
                    assertThat(found(each.plan(), snapshot, random))
                            .describedAs("%s by %s of %s", filter, each.id(), documents)
                            .containsExactlyInAnyOrderElementsOf(expected);
                }
            }
            assertThat(tried).isPositive();
        }
    }

    private static String field(String name, Random random) {
        return random.nextInt(6) == 0
                ? ""
                : ", %s: %s"
                        .formatted(
                                name,
                                random.nextInt(4) == 0 && !name.equals("c")
                                        ? "[%s, %s]".formatted(value(random), value(random))
                                        : value(random));
    }

    private static String value(Random random) {
        return random.nextInt(8) == 0 ? "null" : Integer.toString(random.nextInt(3));
    }

    private static List<Contender> contenders(Collection collection, Filter filter, Snapshot snapshot) {
        QueryMemory memory = QueryMemory.unlimited();
        PlanCache cache =
                new PlanCache(MemoryAccount.unlimited().part("plans", "", () -> Long.MAX_VALUE), () -> Instant.EPOCH);
        Choice choice = new Choice(
                collection,
                collection.indexes(),
                Query.of(filter).sortedBy(RawDocument.EMPTY, Collation.SIMPLE),
                0,
                new Choice.Scene(snapshot, Interruption.unlimited(), memory, cache, true));
        Demand.Conjunction conjunction = Demand.conjunction(filter);
        List<Candidate> candidates = choice.candidates(conjunction);
        return candidates == null ? List.of() : Intersections.contenders(choice, conjunction, candidates);
    }

    /** With a pause after every few keys, as a trial and a cursor make them. */
    private static List<String> found(Plan plan, Snapshot snapshot, Random random) {
        Reading reading = new Reading(snapshot, Interruption.unlimited());
        List<String> found = new ArrayList<>();
        try (Run run = Runs.open(plan, reading)) {
            long until = 0;
            while (!run.atEnd()) {
                until += 1 + random.nextInt(4);
                reading.suspendAt(until);
                while (run.next()) {
                    found.add(String.valueOf(run.document().get("_id")));
                    if (random.nextInt(3) == 0) {
                        run.pause();
                    }
                }
                if (random.nextInt(3) == 0) {
                    run.pause();
                }
            }
        }
        return found;
    }

    private static List<byte[]> keys(Run run) {
        List<byte[]> keys = new ArrayList<>();
        while (run.next()) {
            keys.add(run.key());
        }
        return keys;
    }
}
