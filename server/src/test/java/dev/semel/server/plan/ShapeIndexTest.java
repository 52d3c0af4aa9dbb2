package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.expression.Environment;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.filter.Nearness;
import dev.semel.query.geo.Locations;
import dev.semel.server.catalog.Stored;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An index on shapes finds what a look at every document finds, in the order of distance, and reads little else. */
class ShapeIndexTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");

    @Test
    void indexesFindWhatACollectionScanFinds() {
        Seeds.check(6, random -> {
            try (Stored stored = Stored.inMemory()) {
                new Round(stored, random, random.nextBoolean()).run();
            }
        });
    }

    private static final class Round {
        private final Stored stored;
        private final Random random;
        private final boolean plane;
        private final List<RawDocument> documents = new ArrayList<>();

        Round(Stored stored, Random random, boolean plane) {
            this.stored = stored;
            this.random = random;
            this.plane = plane;
        }

        void run() {
            for (int i = 0; i < 200; i++) {
                documents.add(Stored.json("{_id: %d, c: %d, g: %s}".formatted(i, random.nextInt(3), shape())));
            }
            stored.insert(NAMESPACE, documents.toArray(RawDocument[]::new));
            String kind = plane ? "2d" : "2dsphere";
            stored.createIndexes(
                    NAMESPACE,
                    random.nextBoolean() || plane
                            ? "{key: {g: \"" + kind + "\", c: 1}, name: \"i\"}"
                            : "{key: {c: 1, g: \"" + kind + "\"}, name: \"i\"}");
            for (int i = 0; i < 40; i++) {
                region();
                near();
            }
        }

        private void region() {
            Query query = Query.of(filter("{g: {%s: {%s}}, c: %d}"
                    .formatted(
                            plane ? "$geoWithin" : random.nextBoolean() ? "$geoWithin" : "$geoIntersects",
                            plane ? flatRegion() : "$geometry: " + square(),
                            random.nextInt(3))));
            List<RawDocument> expected =
                    documents.stream().filter(query.filter()::matches).toList();
            List<RawDocument> found = new ArrayList<>();
            try (Snapshot snapshot = stored.transactions().snapshot()) {
                Plan plan = new Planner().plan(stored.catalog().require(NAMESPACE, snapshot), query, snapshot);
                assertThat(plan).isInstanceOf(Plan.IndexScan.class);
                try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                    while (run.next()) {
                        found.add(run.document());
                    }
                }
            }
            assertThat(found).as(query.toString()).containsExactlyInAnyOrderElementsOf(expected);
        }

        private void near() {
            String centre = plane ? position() : "{$geometry: " + point() + "}";
            String limits = plane ? ", $maxDistance: " + random.nextInt(200) : "";
            Filter filter = filter("{g: {$near: %s%s}, c: %d}".formatted(centre, limits, random.nextInt(3)));
            List<Double> expected = new ArrayList<>();
            for (RawDocument each : documents) {
                Locations.Nearest nearest = nearest(filter, each);
                if (filter.matches(each)
                        && nearest != null
                        && nearest.distance() <= near(filter).query().most()) {
                    expected.add(nearest.distance());
                }
            }
            expected.sort(null);
            List<Double> found = new ArrayList<>();
            try (Snapshot snapshot = stored.transactions().snapshot()) {
                Plan plan =
                        new Planner().plan(stored.catalog().require(NAMESPACE, snapshot), Query.of(filter), snapshot);
                try (Run run = plan.open(snapshot, Interruption.unlimited())) {
                    while (run.next()) {
                        Locations.Nearest nearest = nearest(filter, run.document());
                        assertThat(run.nearest()).isEqualTo(nearest);
                        found.add(nearest == null ? Double.NaN : nearest.distance());
                        if (random.nextInt(5) == 0) {
                            run.pause();
                            run.resume(Interruption.unlimited());
                        }
                    }
                }
            }
            assertThat(found).as(filter.toString()).isEqualTo(expected);
        }

        private static Filter.Near near(Filter filter) {
            Filter.Near near = Nearness.of(filter);
            if (near == null) {
                throw new AssertionError(filter);
            }
            return near;
        }

        private static Locations.@Nullable Nearest nearest(Filter filter, RawDocument document) {
            return Locations.nearest(near(filter).path(), document, near(filter).query());
        }

        private Filter filter(String json) {
            return Filters.parseSearch(Stored.json(json), new FilterScope(new Environment(0, null, random)));
        }

        private double about(double centre, double spread) {
            return centre + random.nextGaussian() * spread;
        }

        private String position() {
            boolean dense = random.nextBoolean();
            double x = dense ? Math.clamp(about(10, 2), -180, 180) : random.nextDouble() * 360 - 180;
            double y = dense ? Math.clamp(about(50, 2), -90, 90) : random.nextDouble() * 180 - 90;
            return String.format(Locale.ROOT, "[%f, %f]", x, y);
        }

        private String point() {
            return "{type: \"Point\", coordinates: " + position() + "}";
        }

        private String square() {
            double size = Math.pow(10, random.nextInt(3) - 1);
            double x = random.nextBoolean() ? Math.clamp(about(10, 2), -150, 150) : random.nextDouble() * 300 - 150;
            double y = random.nextBoolean() ? Math.clamp(about(50, 2), -70, 70) : random.nextDouble() * 140 - 70;
            return String.format(
                    Locale.ROOT,
                    "{type: \"Polygon\", coordinates: [[[%1$f, %2$f], [%3$f, %2$f], [%3$f, %4$f], [%1$f, %4$f], [%1$f,"
                            + " %2$f]]]}",
                    x,
                    y,
                    x + size,
                    y + size);
        }

        private String flatRegion() {
            return switch (random.nextInt(4)) {
                case 0 -> "$box: [" + position() + ", " + position() + "]";
                case 1 -> "$center: [" + position() + ", " + random.nextInt(100) + "]";
                case 2 -> "$centerSphere: [" + position() + ", " + random.nextDouble() + "]";
                default -> "$polygon: [" + position() + ", " + position() + ", " + position() + "]";
            };
        }

        private String shape() {
            int kind = random.nextInt(plane ? 3 : 5);
            return switch (kind) {
                case 0 -> position();
                case 1 -> plane ? "[" + position() + ", " + position() + "]" : point();
                case 2 -> plane ? "[]" : "null";
                case 3 -> square();
                default ->
                    "{type: \"MultiPoint\", coordinates: [" + position() + ", " + position() + ", " + position() + "]}";
            };
        }
    }

    /** A search with a limit must not cost more because there are more documents. */
    @Test
    void searchesReadLittleMoreThanTheirResults() {
        Random random = new Random(5);
        try (Stored stored = Stored.inMemory()) {
            List<RawDocument> documents = new ArrayList<>();
            for (int i = 0; i < 10_000; i++) {
                double spread = i % 2 == 0 ? 0.1 : 30;
                documents.add(Stored.json(String.format(
                        Locale.ROOT,
                        "{_id: %d, g: {type: \"Point\", coordinates: [%f, %f]}}",
                        i,
                        Math.clamp(10 + random.nextGaussian() * spread, -180, 180),
                        Math.clamp(50 + random.nextGaussian() * spread, -90, 90))));
            }
            stored.insert(NAMESPACE, documents.toArray(RawDocument[]::new));
            stored.createIndexes(NAMESPACE, "{key: {g: \"2dsphere\"}, name: \"g\"}");
            for (String centre : List.of("[10, 50]", "[10.2, 50.1]", "[40, 20]", "[-170, -60]")) {
                for (int limit : new int[] {1, 10, 100}) {
                    Filter filter = Filters.parseSearch(
                            Stored.json("{g: {$near: {$geometry: {type: \"Point\", coordinates: " + centre + "}}}}"),
                            new FilterScope(new Environment(0, null, random)));
                    try (Snapshot snapshot = stored.transactions().snapshot();
                            Run run = new Planner()
                                    .plan(
                                            stored.catalog().require(NAMESPACE, snapshot),
                                            Query.of(filter).window(0, limit),
                                            snapshot)
                                    .open(snapshot, Interruption.unlimited())) {
                        int found = 0;
                        while (run.next()) {
                            found++;
                        }
                        assertThat(found).isEqualTo(limit);
                        assertThat(run.documentsExamined())
                                .as("documents for %s from %s", limit, centre)
                                .isLessThanOrEqualTo(limit + 5L);
                        assertThat(run.keysExamined())
                                .as("keys for %s from %s", limit, centre)
                                .isLessThanOrEqualTo(8L * limit + 400);
                    }
                }
            }
            assertThat(stored.validate(NAMESPACE).get("valid")).isEqualTo(Value.TRUE);
        }
    }
}
