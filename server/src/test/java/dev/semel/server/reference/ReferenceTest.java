package dev.semel.server.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries, pipelines and updates do what their definitions say, whatever indexes there are. {@code -Drounds=5000} looks longer. */
class ReferenceTest {
    private static final int ROUNDS = Integer.getInteger("rounds", 100);
    private static final int DOCUMENTS = 20;
    private static final int STEPS = 60;

    private static Engine engine;

    @BeforeAll
    static void start() throws IOException {
        engine = new Engine();
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    @Test
    void engineAnswersAsTheDefinitionsDo() {
        Seeds.check(ROUNDS, random -> new Round(random).run());
    }

    private static final class Round {
        private final Random random;
        private final RandomLanguage language;
        private final List<BsonDocument> documents = new ArrayList<>();
        private final List<BsonDocument> others = new ArrayList<>();
        private final List<BsonDocument> indexes = new ArrayList<>();

        Round(Random random) {
            this.random = random;
            this.language = new RandomLanguage(random);
        }

        void run() {
            for (int i = 0; i < DOCUMENTS; i++) {
                documents.add(language.document(i));
                others.add(language.document(i));
            }
            engine.fill("c", documents);
            engine.fill("o", others);
            for (int i = random.nextInt(12); i > 0; i--) {
                create(random.nextInt(3) == 0 ? "o" : "c", language.index(i));
            }
            create("c", language.focusedIndex());
            for (int i = 0; i < STEPS; i++) {
                switch (random.nextInt(6)) {
                    case 0 -> update(false);
                    case 5 -> transaction();
                    case 1 -> find();
                    case 2 -> count();
                    case 3 -> distinct();
                    default -> aggregate();
                }
            }
        }

        private void create(String collection, BsonDocument index) {
            if (engine.createIndex(collection, index)) {
                indexes.add(index);
            }
        }

        // ---- reads

        private void find() {
            boolean caseless = random.nextInt(4) == 0;
            Order order = caseless ? Order.CASELESS : Order.SIMPLE;
            BsonDocument filter = RandomLanguage.parse(language.filter());
            BsonDocument find = new BsonDocument("filter", filter);
            List<BsonDocument> expected = matching(filter, order);
            if (random.nextInt(4) == 0) {
                findInOrder(filter, expected, order, caseless);
                return;
            }
            boolean sorts = random.nextBoolean();
            if (sorts) {
                BsonDocument sort = RandomLanguage.parse(language.order());
                find.append("sort", sort)
                        .append("skip", new BsonInt32(random.nextInt(3)))
                        .append("limit", new BsonInt32(random.nextInt(8)));
                int limit = find.getInt32("limit").getValue();
                try {
                    expected = new Sorting(sort, order)
                            .sorted(expected).stream()
                                    .skip(find.getInt32("skip").getValue())
                                    .limit(limit == 0 ? DOCUMENTS : limit)
                                    .toList();
                } catch (Refused twoArrays) {
                    // An index that has the order need not look at the second one.
                    return;
                }
            }
            check("find " + find + caseless, expected, engine.find("c", find, caseless), sorts, true);
        }

        /** Documents that are equal in the order may come in any. */
        private void findInOrder(BsonDocument filter, List<BsonDocument> expected, Order order, boolean caseless) {
            BsonDocument sort = RandomLanguage.parse("{'" + language.name() + "': " + language.pick("1", "-1") + "}");
            BsonDocument find = new BsonDocument("filter", filter).append("sort", sort);
            List<BsonDocument> found = engine.find("c", find, caseless);
            check("find " + find + caseless, expected, found, false, true);
            assertThat(found).describedAs("%s %s", sort, about(filter)).isSortedAccordingTo(new Sorting(sort, order));
        }

        private void count() {
            BsonDocument filter = RandomLanguage.parse(language.filter());
            assertThat(engine.count("c", filter))
                    .describedAs("count %s", about(filter))
                    .isEqualTo(matching(filter, Order.SIMPLE).size());
        }

        private void distinct() {
            BsonDocument filter = RandomLanguage.parse(language.filter());
            String path = random.nextBoolean() ? language.name() : language.pick("a", "d", "s", "b.a", "e", "c");
            BsonArray expected = new BsonArray();
            for (BsonDocument document : matching(filter, Order.SIMPLE)) {
                for (BsonValue each : Match.values(document, path)) {
                    if (expected.stream().noneMatch(other -> Order.SIMPLE.equal(other, each))) {
                        expected.add(each);
                    }
                }
            }
            List<BsonValue> found = new ArrayList<>(engine.distinct("c", path, filter));
            found.sort(Order.SIMPLE);
            List<BsonValue> sorted = new ArrayList<>(expected);
            sorted.sort(Order.SIMPLE);
            assertThat(looselyEqual(found, sorted))
                    .describedAs("distinct %s %s%nexpected %s%nbut was  %s", path, about(filter), sorted, found)
                    .isTrue();
        }

        private void aggregate() {
            RandomPipeline pipeline = new RandomPipeline(language);
            List<BsonDocument> expected;
            try {
                expected = new Stages(Order.SIMPLE, Map.of("o", others)).run(pipeline.stages(), documents);
            } catch (Refused refused) {
                // Which document is refused first, and whether one that no later stage wants is, is left open.
                return;
            }
            check(
                    "aggregate " + pipeline.stages(),
                    expected,
                    engine.aggregate("c", pipeline.stages()),
                    pipeline.isOrdered(),
                    pipeline.isExact());
        }

        private List<BsonDocument> matching(BsonDocument filter, Order order) {
            return documents.stream()
                    .filter(each -> new Match(order).matches(filter, each))
                    .toList();
        }

        // ---- writes

        /** False if it was refused, which ends a transaction. */
        private boolean update(boolean inTransaction) {
            RandomUpdate update = new RandomUpdate(random);
            int at = random.nextInt(documents.size());
            BsonDocument before = documents.get(at);
            BsonDocument query = new BsonDocument("_id", Fields.of(before, "_id"));
            query.putAll(update.condition());
            Match match = new Match(Order.SIMPLE);
            BsonDocument expected = before;
            try {
                if (match.matches(query, before)) {
                    expected = new Updates(Order.SIMPLE, update.arrayFilters())
                            .apply(update.update(), before, match.place(update.condition(), before));
                }
            } catch (Refused refused) {
                expected = before;
            }
            Engine.Updated updated = engine.update("c", query, update.update(), update.arrayFilters());
            if (inTransaction && updated.isRefused()) {
                return false;
            }
            if (!updated.isRefusedByIndex()) {
                documents.set(at, expected);
            }
            check(
                    "update " + update.update() + update.arrayFilters() + " of " + before + " where "
                            + update.condition() + " answered " + updated,
                    documents,
                    engine.find("c", new BsonDocument(), false),
                    false,
                    true);
            return true;
        }

        /** Its reads see its writes, others do not before it has committed, and nobody does if it has not. */
        private void transaction() {
            List<BsonDocument> before = List.copyOf(documents);
            engine.begin();
            boolean isOpen = true;
            for (int i = 1 + random.nextInt(5); i > 0 && isOpen; i--) {
                switch (random.nextInt(5)) {
                    case 0, 1 -> isOpen = update(true);
                    case 2 -> find();
                    case 3 -> distinct();
                    default -> aggregate();
                }
            }
            check("outside of a transaction", before, engine.findOutside("c"), false, true);
            if (isOpen && random.nextInt(3) > 0) {
                engine.commit();
            } else {
                engine.abort();
                documents.clear();
                documents.addAll(before);
            }
            check("after a transaction", documents, engine.find("c", new BsonDocument(), false), false, true);
        }

        // ---- comparison

        private String about(BsonDocument filter) {
            return "%s%nwith indexes %s%non %s".formatted(filter, indexes, documents);
        }

        private void check(
                String what,
                List<BsonDocument> expected,
                List<BsonDocument> found,
                boolean isOrdered,
                boolean isExact) {
            List<BsonDocument> left = new ArrayList<>(expected);
            List<BsonDocument> right = new ArrayList<>(found);
            if (!isOrdered) {
                left.sort(Order.SIMPLE.thenComparing(Texts::of));
                right.sort(Order.SIMPLE.thenComparing(Texts::of));
            }
            boolean equal = isExact ? Texts.of(left).equals(Texts.of(right)) : looselyEqual(left, right);
            if (!equal) {
                left.removeIf(each -> Texts.of(found).contains(Texts.of(each)));
                right.removeIf(each -> Texts.of(expected).contains(Texts.of(each)));
                throw new AssertionError(
                        "%s%nwith indexes %s%nof %s%nand %s%nexpected %s%nbut was  %s%nor, where they differ, expected %s%n but was %s"
                                .formatted(
                                        what,
                                        indexes,
                                        documents,
                                        others,
                                        expected,
                                        found,
                                        Texts.of(left),
                                        Texts.of(right)));
            }
        }

        private static boolean looselyEqual(List<? extends BsonValue> expected, List<? extends BsonValue> found) {
            return Order.SIMPLE.equal(
                    new BsonArray(Collections.unmodifiableList(expected)),
                    new BsonArray(Collections.unmodifiableList(found)));
        }
    }
}
