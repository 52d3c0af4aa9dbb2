package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.Stored;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever index a plan uses, it finds what a look at every document finds. */
class IndexPlanTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");
    private static final int DOCUMENTS = 60;
    private static final int QUERIES = 150;

    private final AtomicInteger runs = new AtomicInteger();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void indexesFindWhatACollectionScanFinds(Stored.Engine engine) {
        Seeds.check(engine == Stored.Engine.MEMORY ? 40 : 3, random -> {
            Path folder = directory.resolve("run" + runs.incrementAndGet());
            try (Stored stored = Stored.open(engine, folder, random)) {
                new Round(stored, random).run();
            }
        });
    }

    private static final class Round {
        private final Stored stored;
        private final Random random;
        private final RandomQueries queries;
        private final TreeMap<Integer, RawDocument> documents = new TreeMap<>();

        Round(Stored stored, Random random) {
            this.stored = stored;
            this.random = random;
            this.queries = new RandomQueries(random);
        }

        void run() {
            stored.insert(NAMESPACE);
            int indexes = 0;
            for (int i = 0; i < DOCUMENTS; i++) {
                change();
                if (random.nextInt(12) == 0 && indexes < 5) {
                    createIndex(indexes++);
                }
            }
            assertThat(stored.validate(NAMESPACE).get("valid"))
                    .describedAs(stored.validate(NAMESPACE).toString())
                    .isEqualTo(Value.TRUE);
            for (int i = 0; i < QUERIES; i++) {
                query();
            }
        }

        /** An index may refuse a document, for two arrays above all; then nothing may have changed. */
        private void change() {
            int id = random.nextInt(DOCUMENTS);
            RawDocument document = queries.document(id);
            try {
                if (!documents.containsKey(id)) {
                    stored.insert(NAMESPACE, document);
                    documents.put(id, document);
                } else if (random.nextInt(4) == 0) {
                    stored.delete(NAMESPACE, Value.of(id));
                    documents.remove(id);
                } else {
                    stored.update(NAMESPACE, document);
                    documents.put(id, document);
                }
            } catch (CommandException refused) {
                assertThat(refused.code().number()).isIn(171, 16746, 16766);
            }
        }

        private void createIndex(int number) {
            String index = queries.index(number);
            try {
                stored.createIndexes(NAMESPACE, index);
            } catch (CommandException refused) {
                assertThat(refused.code().number()).describedAs(index).isIn(171, 16746, 16766, 85, 86);
            }
        }

        private void query() {
            RawDocument text = queries.filter();
            RawDocument sort = queries.sort();
            Collation collation = queries.collation();
            try (Snapshot snapshot = stored.transactions().snapshot()) {
                Collection collection = stored.catalog().require(NAMESPACE, snapshot);
                Query query = Query.of(stored.filter(text, collation)).sorted(SortPattern.parse(sort, collation));
                List<RawDocument> expected = new ArrayList<>();
                for (RawDocument each : documents.values()) {
                    if (query.filter().matches(each)) {
                        expected.add(each);
                    }
                }
                check(collection, query, snapshot, expected, text, sort);
                for (Index index : collection.indexes()) {
                    if (index.partialFilter() == null && !index.spec().sparse()) {
                        Query hinted = query.hinted(Value.of(index.name()));
                        check(collection, hinted, snapshot, expected, text, sort);
                    }
                }
                count(collection, query, snapshot, expected.size(), text);
                distinct(collection, query, collation, snapshot, expected, text);
            }
        }

        private void check(
                Collection collection,
                Query query,
                Snapshot snapshot,
                List<RawDocument> expected,
                RawDocument text,
                RawDocument sort) {
            Plan plan;
            try {
                plan = new Planner().plan(collection, query, snapshot);
            } catch (CommandException refused) {
                // A wildcard index that is hinted at may not have all documents.
                assertThat(refused.code().number()).describedAs(text.toString()).isEqualTo(291);
                return;
            }
            String about = text + " sorted by " + sort + " with " + plan;
            List<RawDocument> found = new ArrayList<>();
            try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                while (run.next()) {
                    found.add(run.document());
                    if (random.nextInt(5) == 0) {
                        run.pause();
                        run.resume(Interruption.unlimited());
                    }
                }
            } catch (CommandException e) {
                assertThat(e.text()).describedAs(about).contains("parallel arrays");
                return;
            }
            List<RawDocument> missed = new ArrayList<>(expected);
            missed.removeAll(found);
            assertThat(missed).describedAs("missed: " + about).isEmpty();
            assertThat(found).describedAs(about).containsExactlyInAnyOrderElementsOf(expected);
            if (!sort.isEmpty() && query.sort().parts().size() < 2) {
                SortOrder order = new SortOrder(query.sort());
                List<RawDocument> inOrder = new ArrayList<>(found);
                inOrder.sort(order);
                for (int i = 0; i < found.size(); i++) {
                    assertThat(order.compare(found.get(i), inOrder.get(i)))
                            .describedAs("place %s: %s", i, about)
                            .isZero();
                }
            }
        }

        private void count(Collection collection, Query query, Snapshot snapshot, int expected, RawDocument text) {
            Query counting = Query.of(query.filter()).withoutDocuments();
            Plan plan = new Planner().plan(collection, counting, snapshot);
            int count = 0;
            try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                while (run.next()) {
                    count++;
                }
            }
            assertThat(count).describedAs(text + " with " + plan).isEqualTo(expected);
        }

        private void distinct(
                Collection collection,
                Query query,
                Collation collation,
                Snapshot snapshot,
                List<RawDocument> expected,
                RawDocument text) {
            String path = queries.path();
            Plan plan = new Planner()
                    .plan(collection, Query.of(query.filter()).distinct(DottedPath.of(path), collation), snapshot);
            Set<Value> values = new TreeSet<>(collation::compare);
            try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                while (run.next()) {
                    collect(run.document(), List.of(path.split("\\.")), false, values);
                }
            }
            Set<Value> all = new TreeSet<>(collation::compare);
            expected.forEach(each -> collect(each, List.of(path.split("\\.")), false, all));
            // No value for distinct, and in an index what an empty array is.
            values.remove(Value.UNDEFINED);
            all.remove(Value.UNDEFINED);
            // As they compare, not as they are: of 2 and 2.0 either may be there.
            assertThat(values.size())
                    .describedAs("%s of %s with %s", path, text, plan)
                    .isEqualTo(all.size());
            all.removeAll(values);
            assertThat(all).describedAs("%s of %s with %s", path, text, plan).isEmpty();
        }

        /** The values at a path, and the elements of arrays; a number may be a position in an array. */
        private static void collect(RawDocument in, List<String> path, boolean isArray, Set<Value> values) {
            String name = path.getFirst();
            if (isArray && !name.equals("0")) {
                for (Element each : in) {
                    if (each.value() instanceof Value.Doc(RawDocument element)) {
                        collect(element, path, false, values);
                    }
                }
                return;
            }
            List<String> rest = path.subList(1, path.size());
            Value value = in.get(name);
            switch (value) {
                case Value.Doc(RawDocument document) when !rest.isEmpty() -> collect(document, rest, false, values);
                case Value.Array(RawDocument elements) when !rest.isEmpty() -> collect(elements, rest, true, values);
                case Value.Array(RawDocument elements) -> elements.forEach(each -> values.add(each.value()));
                case null -> {}
                default -> {
                    if (rest.isEmpty()) {
                        values.add(value);
                    }
                }
            }
        }
    }
}
