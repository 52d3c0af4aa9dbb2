package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.value.Collation;
import dev.semel.query.value.SortOrder;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.Stored;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Queries of many kinds over many sets of indexes: the plan that is chosen finds what a look at every document finds, in the
 * right order, and looks at little more than the best plan would.
 */
class PlanMatrixTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");
    private static final int DOCUMENTS = 400;
    private static final int QUERIES = 60;

    /** How much more than the best plan the chosen one may look at, in keys and documents. */
    private static final int FACTOR = 3;

    private static final int ALLOWANCE = 60;

    /** Few values in a, more in b, many in c, each once in d, arrays in e. */
    private static final String[] INDEXES = {
        "{a: 1}",
        "{a: 1, d: 1}",
        "{a: 1, b: 1, d: -1}",
        "{b: -1, d: 1}",
        "{b: 1, a: -1, d: 1}",
        "{c: 1}",
        "{c: 1, d: -1}",
        "{d: 1}",
        "{e: 1, d: 1}"
    };

    private final Set<Class<?>> seen = new HashSet<>();

    @Test
    void chosenPlansAreRightAndNearTheBest() {
        Seeds.check(12, random -> {
            try (Stored stored = Stored.inMemory()) {
                new Round(stored, random).run();
            }
        });
        assertThat(seen).contains(Plan.Merge.class, Plan.Union.class, Plan.Sorted.class, Plan.IndexScan.class);
    }

    private record Answer(List<RawDocument> documents, long examined) {}

    private final class Round {
        private final Stored stored;
        private final Random random;
        private final List<RawDocument> documents = new ArrayList<>();

        Round(Stored stored, Random random) {
            this.stored = stored;
            this.random = random;
        }

        void run() {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < DOCUMENTS; i++) {
                order.add(i);
            }
            Collections.shuffle(order, random);
            for (int i = 0; i < DOCUMENTS; i++) {
                RawDocument document = Stored.json("{_id: %d, a: %d, b: %d, c: %d, d: %d, e: [%d, %d]}"
                        .formatted(
                                i,
                                random.nextInt(5),
                                random.nextInt(10),
                                random.nextInt(80),
                                order.get(i),
                                random.nextInt(6),
                                random.nextInt(6)));
                documents.add(document);
            }
            stored.insert(NAMESPACE, documents.toArray(RawDocument[]::new));
            for (int i = 0; i < INDEXES.length; i++) {
                if (random.nextBoolean()) {
                    stored.createIndexes(NAMESPACE, "{name: \"i" + i + "\", key: " + INDEXES[i] + "}");
                }
            }
            for (int i = 0; i < QUERIES; i++) {
                query();
            }
        }

        private void query() {
            String filter = filter();
            String sort = pick("{}", "{d: 1}", "{d: -1}", "{b: 1, d: -1}", "{a: 1, d: 1}", "{d: 1, a: -1}");
            int skip = random.nextInt(4) == 0 ? random.nextInt(5) : 0;
            int limit = random.nextInt(2) * (1 + random.nextInt(8));
            String about = "%s sorted by %s, skip %d, limit %d".formatted(filter, sort, skip, limit);
            Query query = Query.of(stored.filter(Stored.json(filter)))
                    .sortedBy(Stored.json(sort), Collation.SIMPLE)
                    .window(skip, limit);
            try (Snapshot snapshot = stored.transactions().snapshot()) {
                Collection collection = stored.catalog().require(NAMESPACE, snapshot);
                Answer chosen = answer(collection, query, snapshot);
                check(query, chosen.documents, about);
                // Without a sort it is luck in which scan the first few matches stand early, so all of them are asked
                // for. A
                // scan of the collection looks at all documents, always: it is no candidate beside an index, as in
                // MongoDB.
                Query compared = query.sort().isEmpty() ? query.window(0, 0) : query;
                long best = DOCUMENTS;
                for (Index each : collection.indexes()) {
                    // Not those whose first field is not asked for, which are never scanned from gap to gap without a
                    // hint.
                    if (filter.matches(".*\\b(?<!\\$)" + each.paths().getFirst() + ":.*")) {
                        Query hinted = compared.hinted(Value.of(each.name()));
                        best = Math.min(best, answer(collection, hinted, snapshot).examined);
                    }
                }
                assertThat(chosen.examined)
                        .describedAs("%s examined; the best plan %d; of %s", about, best, collection.indexes())
                        .isLessThanOrEqualTo(FACTOR * best + ALLOWANCE);
            }
        }

        private Answer answer(Collection collection, Query query, Snapshot snapshot) {
            Plan plan = new Planner().plan(collection, query, snapshot);
            List<RawDocument> found = new ArrayList<>();
            try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                while (run.next()) {
                    found.add(run.document());
                    if (random.nextInt(20) == 0) {
                        run.pause();
                        run.resume(Interruption.unlimited());
                    }
                }
                for (Plan at = plan; at != null; at = input(at)) {
                    seen.add(at.getClass());
                }
                return new Answer(found, run.keysExamined() + run.documentsExamined());
            }
        }

        private static @Nullable Plan input(Plan plan) {
            return switch (plan) {
                case Plan.Sorted sorted -> sorted.input();
                case Plan.Skipped skipped -> skipped.input();
                case Plan.Limited limited -> limited.input();
                default -> null;
            };
        }

        /** Each document once, all that belong there, in order; of equals any may come first. */
        private void check(Query query, List<RawDocument> found, String about) {
            List<RawDocument> expected = new ArrayList<>();
            for (RawDocument each : documents) {
                if (query.filter().matches(each)) {
                    expected.add(each);
                }
            }
            SortOrder order = new SortOrder(query.sort());
            expected.sort(order);
            int from = (int) Math.min(query.skip(), expected.size());
            int to = query.limit() == 0 ? expected.size() : (int) Math.min(from + query.limit(), expected.size());
            assertThat(found).describedAs(about).hasSize(to - from).doesNotHaveDuplicates();
            assertThat(expected).describedAs(about).containsAll(found);
            for (int i = 0; i < found.size(); i++) {
                assertThat(order.compare(found.get(i), expected.get(from + i)))
                        .describedAs("place %d: %s", i, about)
                        .isZero();
            }
        }

        // ---- queries

        private String filter() {
            String first = condition();
            return switch (random.nextInt(5)) {
                case 0 -> "{" + first + "}";
                case 1 -> "{$or: [{" + first + "}, {" + condition() + "}]}";
                case 2 -> "{$or: [{a: 1, " + first + "}, {b: {$in: [2, 3]}}], c: {$gt: " + random.nextInt(80) + "}}";
                default -> "{" + first + ", $and: [{" + condition() + "}]}";
            };
        }

        private String condition() {
            return switch (random.nextInt(8)) {
                case 0 -> "a: " + random.nextInt(6);
                case 1 -> "a: {$in: [%d, %d]}".formatted(random.nextInt(3), 2 + random.nextInt(3));
                case 2 -> "b: {$in: [%d, 7, %d]}".formatted(random.nextInt(5), random.nextInt(12));
                case 3 -> "b: " + random.nextInt(10);
                case 4 -> "c: " + random.nextInt(80);
                case 5 -> "d: {$gte: %d, $lt: %d}".formatted(random.nextInt(300), 100 + random.nextInt(300));
                case 6 -> "e: {$in: [%d, %d]}".formatted(random.nextInt(4), 3 + random.nextInt(3));
                default -> "e: " + random.nextInt(7);
            };
        }

        private String pick(String... from) {
            return from[random.nextInt(from.length)];
        }
    }
}
