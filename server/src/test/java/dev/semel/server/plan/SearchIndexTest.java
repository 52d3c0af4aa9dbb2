package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.server.catalog.Stored;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** A text index finds what a look at every document finds, with the scores that the formula gives. */
class SearchIndexTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");

    /** Words that are their own stems, so that the expected results need no stemmer. */
    private static final List<String> WORDS = List.of("tea", "milk", "cup", "pot", "leaf", "herb");

    @Test
    void indexesFindWhatALookAtEveryDocumentFinds() {
        Seeds.check(6, random -> {
            try (Stored stored = Stored.inMemory()) {
                new Round(stored, random).run();
            }
        });
    }

    private record Doc(int id, int shop, List<String> title, List<String> body) {
        String json() {
            return "{_id: %d, shop: %d, title: \"%s\", body: \"%s\"}"
                    .formatted(id, shop, String.join(" ", title), String.join(" ", body));
        }

        double score(String term, int weight) {
            return score(title, term) * weight + score(body, term);
        }

        private static double score(List<String> field, String term) {
            long count = field.stream().filter(term::equals).count();
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += Math.pow(0.5, i);
            }
            double whole = field.equals(List.of(term)) ? 1.1 : 1;
            return count == 0 ? 0 : sum * (0.5 * count / field.size() + 0.5) * whole;
        }

        boolean has(String term) {
            return title.contains(term) || body.contains(term);
        }
    }

    private static final class Round {
        private final Stored stored;
        private final Random random;
        private final int weight;
        private final List<Doc> documents = new ArrayList<>();

        Round(Stored stored, Random random) {
            this.stored = stored;
            this.random = random;
            this.weight = 1 + random.nextInt(5);
        }

        void run() {
            String index = "{key: {%stitle: \"text\", body: \"text\"}, name: \"i\", weights: {title: %d}}";
            boolean prefixed = random.nextBoolean();
            boolean late = random.nextBoolean();
            if (!late) {
                stored.createIndexes(NAMESPACE, index.formatted(prefixed ? "shop: 1, " : "", weight));
            }
            for (int i = 0; i < 150; i++) {
                documents.add(new Doc(i, random.nextInt(3), words(4), words(12)));
            }
            stored.insert(
                    NAMESPACE,
                    documents.stream().map(each -> Stored.json(each.json())).toArray(RawDocument[]::new));
            if (late) {
                stored.createIndexes(NAMESPACE, index.formatted(prefixed ? "shop: 1, " : "", weight));
            }
            for (int i = 0; i < 40; i++) {
                search();
            }
        }

        private List<String> words(int max) {
            List<String> words = new ArrayList<>();
            int count = random.nextInt(max + 1);
            for (int i = 0; i < count; i++) {
                words.add(WORDS.get(random.nextInt(WORDS.size())));
            }
            return words;
        }

        private void search() {
            TreeSet<String> wanted = new TreeSet<>(words(3));
            TreeSet<String> denied = new TreeSet<>(words(1));
            int shop = random.nextInt(3);
            String text = String.join(" ", wanted)
                    + denied.stream().map(each -> " -" + each).collect(Collectors.joining());
            Map<Integer, Double> expected = new LinkedHashMap<>();
            for (Doc each : documents) {
                boolean matches = each.shop == shop
                        && wanted.stream().anyMatch(each::has)
                        && denied.stream().noneMatch(each::has);
                if (matches) {
                    expected.put(
                            each.id,
                            wanted.stream()
                                    .mapToDouble(term -> each.score(term, weight))
                                    .sum());
                }
            }
            Query query = Query.of(Filters.parseSearch(
                    Stored.json("{$text: {$search: \"%s\"}, shop: %d}".formatted(text, shop)),
                    new FilterScope(new Environment(0, null, random))));
            assertThat(found(query).keySet()).as(text).containsExactlyInAnyOrderElementsOf(expected.keySet());
            Query scored = query.sortedBy(Stored.json("{s: {$meta: \"textScore\"}}"), Collation.SIMPLE);
            Map<Integer, Double> best = found(scored);
            assertThat(best.keySet()).as(text).containsExactlyInAnyOrderElementsOf(expected.keySet());
            best.forEach((id, score) -> assertThat(score).as(text).isCloseTo(expected.get(id), within()));
            List<Double> order = new ArrayList<>(best.values());
            assertThat(order).isSortedAccordingTo((a, b) -> Double.compare(b, a));
            Map<Integer, Double> first = found(scored.window(1, 5));
            assertThat(first.keySet())
                    .containsExactlyElementsOf(
                            best.keySet().stream().skip(1).limit(5).toList());
            Query other = query.sortedBy(Stored.json("{s: {$meta: \"textScore\"}, _id: -1}"), Collation.SIMPLE);
            assertThat(found(other).keySet()).containsExactlyElementsOf(byScoreThenId(best));
        }

        private static Offset<Double> within() {
            return Offset.offset(1e-9);
        }

        private static List<Integer> byScoreThenId(Map<Integer, Double> scores) {
            return scores.entrySet().stream()
                    .sorted(Map.Entry.<Integer, Double>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey())
                            .reversed())
                    .map(Map.Entry::getKey)
                    .toList();
        }

        private Map<Integer, Double> found(Query query) {
            Map<Integer, Double> found = new LinkedHashMap<>();
            try (Snapshot snapshot = stored.transactions().snapshot()) {
                Plan plan = new Planner().plan(stored.catalog().require(NAMESPACE, snapshot), query, snapshot);
                try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                    while (run.next()) {
                        Value score = run.metadata().get(Metadata.TEXT_SCORE);
                        found.put(id(run.document()), score == null ? Double.NaN : Numbers.doubleOf(score));
                        if (random.nextInt(5) == 0) {
                            run.pause();
                            run.resume(Interruption.unlimited());
                        }
                    }
                }
            }
            return found;
        }

        private static int id(RawDocument document) {
            Value id = document.get("_id");
            if (id == null) {
                throw new AssertionError(document);
            }
            return (int) Numbers.doubleOf(id);
        }
    }
}
