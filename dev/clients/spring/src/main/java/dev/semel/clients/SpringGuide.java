package dev.semel.clients;

import com.mongodb.client.MongoClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.bson.Document;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.annotation.Id;
import org.springframework.data.domain.Sort;
import org.springframework.data.geo.Distance;
import org.springframework.data.geo.GeoResult;
import org.springframework.data.geo.Metrics;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.aggregation.Aggregation;
import org.springframework.data.mongodb.core.aggregation.AccumulatorOperators;
import org.springframework.data.mongodb.core.aggregation.SetWindowFieldsOperation;
import org.springframework.data.mongodb.core.aggregation.SetWindowFieldsOperation.Windows;
import org.springframework.data.mongodb.core.geo.GeoJsonPoint;
import org.springframework.data.mongodb.core.geo.GeoJsonPolygon;
import org.springframework.data.mongodb.core.index.GeoSpatialIndexType;
import org.springframework.data.mongodb.core.index.GeospatialIndex;
import org.springframework.data.mongodb.core.index.Index;
import org.springframework.data.mongodb.core.index.TextIndexDefinition;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.NearQuery;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.TextCriteria;
import org.springframework.data.mongodb.core.query.TextQuery;
import org.springframework.data.mongodb.core.mapping.TextScore;

/** A city guide through Spring Data: places are found by words and by distance, and their visits are summed over windows. */
public final class SpringGuide {
    private SpringGuide() {}

    public static final class Place {
        @Id
        public int id;

        public String name;
        public String about;
        public GeoJsonPoint location;

        @TextScore
        public Float score;
    }

    public record Visit(int place, Instant day, int guests) {}

    public record Sum(int place, Instant day, int soFar, int twoDays, int rank) {}

    public static void main(String[] arguments) throws IOException {
        try (var client = MongoClients.create(arguments[0])) {
            var template = new MongoTemplate(client, "clients_spring_guide");
            template.getDb().drop();
            prepare(template, Document.parse(Files.readString(Path.of(arguments[1]))));
            byWords(template);
            byDistance(template);
            overWindows(template);
        }
    }

    private static void prepare(MongoTemplate template, Document data) {
        template.indexOps(Place.class)
                .createIndex(new TextIndexDefinition.TextIndexDefinitionBuilder()
                        .onField("name", 5F)
                        .onField("about")
                        .build());
        template.indexOps(Place.class)
                .createIndex(new GeospatialIndex("location").typed(GeoSpatialIndexType.GEO_2DSPHERE));
        template.indexOps(Visit.class)
                .createIndex(new Index("place", Sort.Direction.ASC)
                        .on("day", Sort.Direction.ASC)
                        .unique());
        for (var each : data.getList("places", Document.class)) {
            var at = each.getList("at", Double.class);
            var place = new Place();
            place.id = each.getInteger("_id");
            place.name = each.getString("name");
            place.about = each.getString("about");
            place.location = new GeoJsonPoint(at.get(0), at.get(1));
            template.insert(place);
        }
        for (var each : data.getList("visits", Document.class)) {
            template.insert(new Visit(
                    each.getInteger("place"),
                    LocalDate.parse(each.getString("day")).atStartOfDay(ZoneOffset.UTC).toInstant(),
                    each.getInteger("guests")));
        }
        try {
            template.insert(new Visit(1, Instant.parse("2026-05-01T00:00:00Z"), 1));
            throw new AssertionError("a second visit of the same day was not refused");
        } catch (DuplicateKeyException expected) {
            equal(template.count(new Query(), Visit.class), 6L);
        }
    }

    private static void byWords(MongoTemplate template) {
        var coffee = template.find(
                TextQuery.queryText(TextCriteria.forDefaultLanguage().matching("coffee")).sortByScore(), Place.class);
        equal(coffee.getFirst().id, 2);
        equal(coffee.stream().map(each -> each.id).sorted().toList(), List.of(1, 2, 4));
        if (!(coffee.get(0).score > coffee.get(1).score)) {
            throw new AssertionError("not in the order of scores");
        }
        equal(
                ids(template.find(
                        new Query(TextCriteria.forDefaultLanguage().matching("coffee").notMatching("tea"))
                                .with(Sort.by("_id")),
                        Place.class)),
                List.of(1, 2));
        equal(
                ids(template.find(
                        new Query(TextCriteria.forDefaultLanguage().matchingPhrase("old mill")), Place.class)),
                List.of(2));
        equal(template.count(new Query(TextCriteria.forLanguage("en").matchingAny("garden", "museum")), Place.class), 2L);
    }

    private static void byDistance(MongoTemplate template) {
        var harbour = new GeoJsonPoint(10.0, 53.54);
        equal(
                ids(template.find(
                        new Query(Criteria.where("location").nearSphere(harbour).maxDistance(3000)), Place.class)),
                List.of(1, 4, 2));
        var near = template.geoNear(
                NearQuery.near(harbour)
                        .maxDistance(new Distance(3, Metrics.KILOMETERS))
                        .query(new Query(Criteria.where("_id").ne(1))),
                Place.class);
        equal(near.getContent().stream().map(each -> each.getContent().id).toList(), List.of(4, 2));
        equal(near.getContent().stream().map(SpringGuide::hectometres).toList(), List.of(13L, 26L));
        var west = new GeoJsonPolygon(
                new GeoJsonPoint(9.8, 53.5),
                new GeoJsonPoint(9.995, 53.5),
                new GeoJsonPoint(9.995, 53.6),
                new GeoJsonPoint(9.8, 53.6),
                new GeoJsonPoint(9.8, 53.5));
        equal(
                ids(template.find(
                        new Query(Criteria.where("location").within(west)).with(Sort.by("_id")), Place.class)),
                List.of(3, 4));
    }

    private static long hectometres(GeoResult<Place> found) {
        return Math.round(found.getDistance().in(Metrics.KILOMETERS).getValue() * 10);
    }

    private static void overWindows(MongoTemplate template) {
        var windows = SetWindowFieldsOperation.builder()
                .partitionByField("place")
                .sortBy(Sort.by("day"))
                .output(AccumulatorOperators.Sum.sumOf("guests"))
                .within(Windows.documents().fromUnbounded().toCurrent().build())
                .as("soFar")
                .output(context -> new Document("$rank", new Document()))
                .as("rank")
                .build();
        var sums = template.aggregate(
                        Aggregation.newAggregation(
                                windows,
                                // The builder makes an array of a range that the driver cannot encode.
                                Aggregation.stage(
                                        "{$setWindowFields: {partitionBy: '$place', sortBy: {day: 1}, output: {twoDays:"
                                                + " {$sum: '$guests', window: {range: [-1, 0], unit: 'day'}}}}}"),
                                Aggregation.sort(Sort.by("place", "day"))),
                        Visit.class,
                        Sum.class)
                .getMappedResults();
        equal(
                sums.stream().map(each -> List.of(each.soFar, each.twoDays, each.rank)).toList(),
                List.of(
                        List.of(10, 10, 1),
                        List.of(30, 30, 2),
                        List.of(70, 40, 3),
                        List.of(5, 5, 1),
                        List.of(10, 10, 2),
                        List.of(18, 13, 3)));
        var days = template.aggregate(
                        Aggregation.newAggregation(
                                Aggregation.stage(
                                        "{$densify: {field: 'day', partitionByFields: ['place'],"
                                                + " range: {step: 1, unit: 'day', bounds: 'full'}}}"),
                                Aggregation.stage(
                                        "{$fill: {partitionByFields: ['place'], sortBy: {day: 1},"
                                                + " output: {guests: {method: 'locf'}}}}"),
                                Aggregation.sort(Sort.by("place", "day"))),
                        Visit.class,
                        Visit.class)
                .getMappedResults();
        equal(days.stream().map(Visit::guests).toList(), List.of(10, 20, 20, 40, 5, 5, 8, 8));
    }

    private static List<Integer> ids(List<Place> places) {
        return places.stream().map(each -> each.id).toList();
    }

    private static void equal(Object found, Object expected) {
        if (!found.equals(expected)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }
}
