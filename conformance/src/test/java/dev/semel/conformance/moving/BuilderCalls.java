package dev.semel.conformance.moving;

import com.mongodb.MongoNamespace;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BsonField;
import com.mongodb.client.model.BucketAutoOptions;
import com.mongodb.client.model.BucketGranularity;
import com.mongodb.client.model.BucketOptions;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationAlternate;
import com.mongodb.client.model.CollationCaseFirst;
import com.mongodb.client.model.CollationMaxVariable;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.Facet;
import com.mongodb.client.model.Field;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.GeoNearOptions;
import com.mongodb.client.model.GraphLookupOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.MergeOptions;
import com.mongodb.client.model.MongoTimeUnit;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.PushOptions;
import com.mongodb.client.model.QuantileMethod;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.TextSearchOptions;
import com.mongodb.client.model.UnwindOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.Variable;
import com.mongodb.client.model.Window;
import com.mongodb.client.model.WindowOutputField;
import com.mongodb.client.model.WindowOutputFields;
import com.mongodb.client.model.Windows;
import com.mongodb.client.model.densify.DensifyOptions;
import com.mongodb.client.model.densify.DensifyRange;
import com.mongodb.client.model.fill.FillOptions;
import com.mongodb.client.model.fill.FillOutputField;
import com.mongodb.client.model.geojson.GeometryCollection;
import com.mongodb.client.model.geojson.LineString;
import com.mongodb.client.model.geojson.MultiLineString;
import com.mongodb.client.model.geojson.MultiPoint;
import com.mongodb.client.model.geojson.MultiPolygon;
import com.mongodb.client.model.geojson.Point;
import com.mongodb.client.model.geojson.Polygon;
import com.mongodb.client.model.geojson.PolygonCoordinates;
import com.mongodb.client.model.geojson.Position;
import com.mongodb.client.model.search.FuzzySearchOptions;
import com.mongodb.client.model.search.SearchCount;
import com.mongodb.client.model.search.SearchHighlight;
import com.mongodb.client.model.search.SearchOperator;
import com.mongodb.client.model.search.SearchOptions;
import com.mongodb.client.model.search.SearchPath;
import com.mongodb.client.model.search.SearchScore;
import com.mongodb.client.model.search.VectorSearchOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Every builder in every way, for a comparison of what they make. */
@SuppressWarnings("JavaUtilDate") // applications have it, too
public final class BuilderCalls implements Supplier<List<Bson>> {
    private final List<Bson> all = new ArrayList<>();

    @Override
    public List<Bson> get() {
        filters();
        moreFilters();
        updates();
        selections();
        stages();
        joins();
        accumulators();
        windows();
        windowFunctions();
        gaps();
        shapes();
        searches();
        return all;
    }

    private void add(Bson... made) {
        all.addAll(Arrays.asList(made));
    }

    private void filters() {
        add(
                Filters.eq(7),
                Filters.eq(new ObjectId("65a000000000000000000001")),
                Filters.eq("a", 1),
                Filters.eq("a", null),
                Filters.eq("a", List.of(1, "b", new Document("c", 2L))),
                Filters.eq("a", new Document("b", new Date(5)).append("c", Instant.ofEpochMilli(6))),
                Filters.eq("a.b", Decimal128.parse("1.50")),
                Filters.eq("a", Pattern.compile("x", Pattern.CASE_INSENSITIVE)),
                Filters.ne("a", "b"),
                Filters.ne("a", null),
                Filters.gt("a", 1.5),
                Filters.gte("a", 1L),
                Filters.lt("a", true),
                Filters.lte("a", new BsonInt32(3)),
                Filters.in("a", 1, 2, "three"),
                Filters.in("a", List.of("x", "y")),
                Filters.in("a", new Integer[] {4, 5}),
                Filters.in("a", List.of()),
                Filters.nin("a", 1, 2),
                Filters.nin("a", Arrays.asList("x", null)),
                Filters.and(Filters.eq("a", 1), Filters.eq("a", 2)),
                Filters.and(List.of(Filters.gt("a", 1), new Document("b", 2))),
                Filters.and(),
                Filters.or(Filters.eq("a", 1), Filters.and(Filters.eq("b", 2), Filters.eq("c", 3))),
                Filters.or(List.of(Filters.empty())),
                Filters.nor(Filters.eq("a", 1), Filters.eq("b", 1)),
                Filters.nor(List.of(Filters.exists("a"))),
                Filters.not(Filters.eq("a", 1)),
                Filters.not(Filters.gt("a", 1)),
                Filters.not(Filters.in("a", 1, 2)),
                Filters.not(Filters.regex("a", "^b")),
                Filters.not(Filters.and(Filters.gt("a", 1), Filters.eq("b", 20))),
                Filters.not(Filters.or(Filters.eq("a", 1), Filters.eq("b", 2))),
                Filters.not(new Document("a", 1).append("b", 2)),
                Filters.not(new Document("a", new Document("$gt", 1).append("$lt", 5))),
                Filters.not(new Document("a", new Document("b", 1))),
                Filters.not(Filters.not(Filters.eq("a", 1))),
                Filters.not(Filters.elemMatch("a", Filters.eq("b", 1))));
    }

    private void moreFilters() {
        add(
                Filters.exists("a"),
                Filters.exists("a", false),
                Filters.type("a", BsonType.ARRAY),
                Filters.type("a", BsonType.MIN_KEY),
                Filters.type("a", "number"),
                Filters.mod("a", 10, 1),
                Filters.regex("a", "^b.*c$"),
                Filters.regex("a", "b", "im"),
                Filters.regex("a", Pattern.compile("b", Pattern.MULTILINE | Pattern.DOTALL)),
                Filters.text("coffee -tea"),
                Filters.text(
                        "x",
                        new TextSearchOptions()
                                .language("de")
                                .caseSensitive(true)
                                .diacriticSensitive(false)),
                Filters.where("this.a > 1"),
                Filters.expr(new Document("$gt", List.of("$a", "$b"))),
                Filters.expr("$a"),
                Filters.all("a", 1, 2),
                Filters.all("a", List.of("x")),
                Filters.elemMatch("a", Filters.and(Filters.eq("b", 1), Filters.gt("c", 2))),
                Filters.elemMatch("a", new Document("$gte", 5)),
                Filters.size("a", 3),
                Filters.bitsAllClear("a", 5),
                Filters.bitsAllSet("a", 1L << 40),
                Filters.bitsAnyClear("a", 0),
                Filters.bitsAnySet("a", -1),
                Filters.geoWithin("a", point()),
                Filters.geoWithinBox("a", 1, 2, 3, 4),
                Filters.geoWithinPolygon("a", List.of(List.of(0.0, 0.0), List.of(1.0, 0.0), List.of(1.0, 1.0))),
                Filters.geoWithinCenter("a", 1, 2, 3),
                Filters.geoWithinCenterSphere("a", 1, 2, 0.5),
                Filters.geoIntersects("a", point()),
                Filters.near("a", point(), 10.0, 1.0),
                Filters.near("a", point(), null, null),
                Filters.near("a", 1, 2, 10.0, null),
                Filters.nearSphere("a", point(), null, 2.0),
                Filters.nearSphere("a", 1, 2, 10.0, 5.0),
                Filters.jsonSchema(new Document("bsonType", "object")),
                Filters.empty());
    }

    private static Bson point() {
        return new Document("type", "Point").append("coordinates", List.of(1.0, 2.0));
    }

    private void updates() {
        add(
                Updates.set("a", 1),
                Updates.set("a", null),
                Updates.set("a", List.of(new Document("b", 1))),
                Updates.set(new Document("a", 1).append("b", 2)),
                Updates.unset("a"),
                Updates.setOnInsert("a", "b"),
                Updates.setOnInsert(new Document("a", 1)),
                Updates.rename("a", "b"),
                Updates.inc("a", 1),
                Updates.inc("a", 2L),
                Updates.inc("a", 1.5),
                Updates.mul("a", 2),
                Updates.min("a", 1),
                Updates.max("a", new Date(3)),
                Updates.currentDate("a"),
                Updates.currentTimestamp("a"),
                Updates.addToSet("a", 1),
                Updates.addToSet("a", List.of(1, 2)),
                Updates.addEachToSet("a", List.of(1, 2)),
                Updates.push("a", new Document("b", 1)),
                Updates.pushEach("a", List.of(1, 2)),
                Updates.pushEach(
                        "a",
                        List.of(1, 2),
                        new PushOptions().position(0).slice(-5).sort(-1)),
                Updates.pushEach(
                        "a", List.of(new Document("b", 1)), new PushOptions().sortDocument(Sorts.ascending("b"))),
                Updates.pull("a", 1),
                Updates.pullByFilter(Filters.and(Filters.eq("a.b", 1), Filters.gt("c", 2))),
                Updates.pullByFilter(Filters.in("a", 1, 2)),
                Updates.pullAll("a", List.of(1, "b")),
                Updates.popFirst("a"),
                Updates.popLast("a"),
                Updates.bitwiseAnd("a", 5),
                Updates.bitwiseAnd("a", 5L),
                Updates.bitwiseOr("a", 5),
                Updates.bitwiseOr("a", 5L),
                Updates.bitwiseXor("a", 5),
                Updates.bitwiseXor("a", 5L),
                Updates.combine(Updates.set("a", 1), Updates.inc("b", 1), Updates.set("c", 2)),
                Updates.combine(Updates.set("a", 1), Updates.unset("x"), Updates.set("a", 2)),
                Updates.combine(Updates.combine(Updates.set("a", 1), Updates.set("b", 1)), Updates.set("c", 1)),
                Updates.combine(List.of(new Document("$set", new Document("a", 1)), Updates.set("b", 2))),
                Updates.combine());
    }

    private void selections() {
        add(
                Sorts.ascending("a", "b"),
                Sorts.descending(List.of("a", "b")),
                Sorts.metaTextScore("score"),
                Sorts.orderBy(Sorts.ascending("a", "b"), Sorts.descending("c")),
                Sorts.orderBy(Sorts.ascending("a", "b"), Sorts.descending("a")),
                Sorts.orderBy(List.of(new Document("x", -1), Sorts.ascending("y"))),
                Projections.include("a", "b"),
                Projections.include(List.of("a")),
                Projections.exclude("a", "b"),
                Projections.exclude(List.of("a")),
                Projections.excludeId(),
                Projections.elemMatch("a"),
                Projections.elemMatch("a", Filters.gt("b", 1)),
                Projections.meta("a", "indexKey"),
                Projections.metaTextScore("score"),
                Projections.slice("a", 5),
                Projections.slice("a", -5, 3),
                Projections.computed("a", new Document("$add", List.of("$b", 1))),
                Projections.computed("a", "$b"),
                Projections.fields(Projections.include("a", "b"), Projections.excludeId()),
                Projections.fields(List.of(Projections.include("a", "b"), Projections.exclude("a"))),
                Indexes.ascending("a", "b"),
                Indexes.ascending(List.of("a")),
                Indexes.descending("a"),
                Indexes.descending(List.of("a", "b")),
                Indexes.geo2dsphere("a", "b"),
                Indexes.geo2dsphere(List.of("a")),
                Indexes.geo2d("a"),
                Indexes.text("a"),
                Indexes.text(),
                Indexes.hashed("a"),
                Indexes.compoundIndex(Indexes.ascending("a"), Indexes.text("b"), Indexes.descending("c")),
                Indexes.compoundIndex(List.of(Indexes.ascending("a"), new Document("b", -1))),
                Indexes.compoundIndex(Indexes.ascending("a", "b"), Indexes.descending("a")),
                Collation.builder().locale("de").build().asDocument(),
                Collation.builder(
                                Collation.builder().locale("fr").backwards(true).build())
                        .caseLevel(true)
                        .collationCaseFirst(CollationCaseFirst.UPPER)
                        .collationStrength(CollationStrength.SECONDARY)
                        .numericOrdering(true)
                        .collationAlternate(CollationAlternate.SHIFTED)
                        .collationMaxVariable(CollationMaxVariable.SPACE)
                        .normalization(false)
                        .build()
                        .asDocument());
    }

    private void stages() {
        add(
                Aggregates.addFields(new Field<>("a", "$b"), new Field<>("c", 1)),
                Aggregates.addFields(List.of(new Field<>("a", new Document("$size", "$b")))),
                Aggregates.set(new Field<>("a", "$b")),
                Aggregates.set(List.of(new Field<>("a", "$b"))),
                Aggregates.unset("a"),
                Aggregates.unset("a", "b.c"),
                Aggregates.unset(List.of("a")),
                Aggregates.bucket("$a", List.of(0, 10, 20)),
                Aggregates.bucket(
                        "$a",
                        List.of(0.5, 10.5),
                        new BucketOptions()
                                .defaultBucket("other")
                                .output(Accumulators.sum("n", 1), Accumulators.push("all", "$$ROOT"))),
                Aggregates.bucketAuto("$a", 5),
                Aggregates.bucketAuto(
                        new Document("$abs", "$a"),
                        5,
                        new BucketAutoOptions()
                                .granularity(BucketGranularity.SERIES_125)
                                .output(List.of(Accumulators.avg("m", "$b")))),
                Aggregates.count(),
                Aggregates.count("n"),
                Aggregates.match(Filters.eq("a", 1)),
                Aggregates.project(Projections.fields(Projections.include("a"), Projections.computed("b", "$c"))),
                Aggregates.sort(Sorts.descending("a")),
                Aggregates.sortByCount("$a"),
                Aggregates.sortByCount(new Document("$floor", "$a")),
                Aggregates.skip(5),
                Aggregates.limit(6),
                Aggregates.sample(3),
                Aggregates.replaceRoot("$a"),
                Aggregates.replaceRoot(new Document("a", "$b")),
                Aggregates.replaceWith("$a"),
                Aggregates.unwind("$a"),
                Aggregates.unwind("$a", new UnwindOptions()),
                Aggregates.unwind(
                        "$a",
                        new UnwindOptions().preserveNullAndEmptyArrays(true).includeArrayIndex("i")),
                Aggregates.documents(List.of(new Document("a", 1), new Document("a", 2))),
                Aggregates.out("b"),
                Aggregates.out("a", "b"),
                Aggregates.out(new Document("s3", 1)),
                Aggregates.group(null),
                Aggregates.group("$a", Accumulators.sum("n", 1)),
                Aggregates.group(
                        new Document("a", "$a").append("b", "$b"),
                        List.of(Accumulators.max("m", "$c"), new BsonField("x", new Document("$sum", 2)))));
    }

    private void joins() {
        add(
                Aggregates.lookup("b", "local", "foreign", "as"),
                Aggregates.lookup("b", List.of(Aggregates.match(Filters.eq("x", 1))), "as"),
                Aggregates.lookup(
                        "b",
                        List.of(new Variable<>("v", "$a"), new Variable<>("w", "$b")),
                        List.of(Aggregates.match(Filters.expr(new Document("$eq", List.of("$x", "$$v"))))),
                        "as"),
                Aggregates.facet(
                        new Facet("one", Aggregates.count()),
                        new Facet("two", List.of(Aggregates.limit(1), Aggregates.skip(1)))),
                Aggregates.facet(List.of(new Facet("one", Aggregates.sortByCount("$a")))),
                Aggregates.graphLookup("b", "$a", "from", "to", "as"),
                Aggregates.graphLookup(
                        "b",
                        new Document("$first", "$a"),
                        "from",
                        "to",
                        "as",
                        new GraphLookupOptions()
                                .maxDepth(3)
                                .depthField("depth")
                                .restrictSearchWithMatch(Filters.eq("live", true))),
                Aggregates.unionWith("b", List.of(Aggregates.limit(1))),
                Aggregates.unionWith("b", List.of()),
                Aggregates.merge("b"),
                Aggregates.merge(new MongoNamespace("a", "b")),
                Aggregates.merge(
                        "b",
                        new MergeOptions()
                                .uniqueIdentifier("x")
                                .whenMatched(MergeOptions.WhenMatched.KEEP_EXISTING)
                                .whenNotMatched(MergeOptions.WhenNotMatched.DISCARD)),
                Aggregates.merge(
                        new MongoNamespace("a", "b"),
                        new MergeOptions()
                                .uniqueIdentifier(List.of("x", "y"))
                                .whenMatched(MergeOptions.WhenMatched.PIPELINE)
                                .variables(List.of(new Variable<>("v", "$z")))
                                .whenMatchedPipeline(List.of(Aggregates.set(new Field<>("n", "$$v"))))
                                .whenNotMatched(MergeOptions.WhenNotMatched.INSERT)),
                Aggregates.merge("b", new MergeOptions().whenMatched(MergeOptions.WhenMatched.MERGE)),
                Aggregates.merge("b", new MergeOptions().whenMatched(MergeOptions.WhenMatched.REPLACE)),
                Aggregates.merge(
                        "b",
                        new MergeOptions()
                                .whenMatched(MergeOptions.WhenMatched.FAIL)
                                .whenNotMatched(MergeOptions.WhenNotMatched.FAIL)));
    }

    private void accumulators() {
        Bson byA = Sorts.ascending("a");
        QuantileMethod approximate = QuantileMethod.approximate();
        for (BsonField each : List.of(
                Accumulators.sum("f", 1),
                Accumulators.avg("f", "$a"),
                Accumulators.percentile("f", "$a", List.of(0.5, 0.9), approximate),
                Accumulators.median("f", "$a", QuantileMethod.of(new BsonString("approximate"))),
                Accumulators.first("f", "$a"),
                Accumulators.firstN("f", "$a", 2),
                Accumulators.top("f", byA, "$b"),
                Accumulators.topN("f", byA, List.of("$b", "$c"), 3),
                Accumulators.last("f", "$a"),
                Accumulators.lastN("f", "$a", new Document("$add", List.of(1, 2))),
                Accumulators.bottom("f", byA, new Document("x", "$b")),
                Accumulators.bottomN("f", byA, "$b", 3),
                Accumulators.max("f", "$a"),
                Accumulators.maxN("f", "$a", 2),
                Accumulators.min("f", "$a"),
                Accumulators.minN("f", "$a", 2),
                Accumulators.push("f", "$a"),
                Accumulators.addToSet("f", "$a"),
                Accumulators.mergeObjects("f", "$a"),
                Accumulators.stdDevPop("f", "$a"),
                Accumulators.stdDevSamp("f", "$a"),
                Accumulators.accumulator("f", "i", "a", "m"),
                Accumulators.accumulator("f", "i", "a", "m", "z"),
                Accumulators.accumulator("f", "i", "a", "m", "z", "js"),
                Accumulators.accumulator("f", "i", List.of("x"), "a", List.of("y"), "m", "z"),
                Accumulators.accumulator("f", "i", List.of("x"), "a", List.of("y"), "m", "z", "js"))) {
            add(new BsonDocument("name", new BsonString(each.getName())), each.getValue());
        }
    }

    private void windows() {
        for (Window each : List.of(
                Windows.documents(-1, 2),
                Windows.documents(Windows.Bound.UNBOUNDED, 2),
                Windows.documents(-1, Windows.Bound.CURRENT),
                Windows.documents(Windows.Bound.CURRENT, Windows.Bound.UNBOUNDED),
                Windows.range(-1, 2L),
                Windows.range(-1.5, 2.5),
                Windows.range(Decimal128.parse("-1.5"), Decimal128.parse("2")),
                Windows.range(Windows.Bound.UNBOUNDED, 2L),
                Windows.range(Windows.Bound.CURRENT, 2.5),
                Windows.range(Windows.Bound.CURRENT, Decimal128.parse("2")),
                Windows.range(-1L, Windows.Bound.CURRENT),
                Windows.range(-1.5, Windows.Bound.UNBOUNDED),
                Windows.range(Decimal128.parse("-1"), Windows.Bound.CURRENT),
                Windows.timeRange(-1, 2, MongoTimeUnit.HOUR),
                Windows.timeRange(Windows.Bound.CURRENT, 2, MongoTimeUnit.QUARTER),
                Windows.timeRange(-1, MongoTimeUnit.MILLISECOND, Windows.Bound.CURRENT),
                Windows.of(new Document("documents", List.of(0, 1))))) {
            add(each, Aggregates.setWindowFields(null, null, WindowOutputFields.sum("f", 1, each)));
        }
    }

    private void windowFunctions() {
        Window w = Windows.documents(-1, 1);
        for (WindowOutputField each : List.of(
                WindowOutputFields.sum("f", "$x", w),
                WindowOutputFields.sum("f", "$x", null),
                WindowOutputFields.avg("f", "$x", w),
                WindowOutputFields.avg("f", "$x", null),
                WindowOutputFields.stdDevSamp("f", "$x", w),
                WindowOutputFields.stdDevSamp("f", "$x", null),
                WindowOutputFields.stdDevPop("f", "$x", w),
                WindowOutputFields.stdDevPop("f", "$x", null),
                WindowOutputFields.min("f", "$x", w),
                WindowOutputFields.min("f", "$x", null),
                WindowOutputFields.max("f", "$x", w),
                WindowOutputFields.max("f", "$x", null),
                WindowOutputFields.push("f", "$x", w),
                WindowOutputFields.push("f", "$x", null),
                WindowOutputFields.addToSet("f", "$x", w),
                WindowOutputFields.addToSet("f", "$x", null),
                WindowOutputFields.first("f", "$x", w),
                WindowOutputFields.first("f", "$x", null),
                WindowOutputFields.last("f", "$x", w),
                WindowOutputFields.last("f", "$x", null),
                WindowOutputFields.minN("f", "$x", 2, w),
                WindowOutputFields.maxN("f", "$x", 2, w),
                WindowOutputFields.firstN("f", "$x", 2, w),
                WindowOutputFields.lastN("f", "$x", 2, w),
                WindowOutputFields.of(new BsonField("f", new Document("$sum", 1))),
                WindowOutputFields.percentile("f", "$x", List.of(0.5), QuantileMethod.approximate(), w),
                WindowOutputFields.median("f", "$x", QuantileMethod.approximate(), null),
                WindowOutputFields.count("f", w),
                WindowOutputFields.derivative("f", "$x", w),
                WindowOutputFields.timeDerivative("f", "$x", w, MongoTimeUnit.DAY),
                WindowOutputFields.integral("f", "$x", w),
                WindowOutputFields.timeIntegral("f", "$x", w, MongoTimeUnit.WEEK),
                WindowOutputFields.covarianceSamp("f", "$x", "$y", w),
                WindowOutputFields.covariancePop("f", "$x", "$y", null),
                WindowOutputFields.expMovingAvg("f", "$x", 3),
                WindowOutputFields.expMovingAvg("f", "$x", 0.5),
                WindowOutputFields.top("f", Sorts.ascending("s"), "$x", w),
                WindowOutputFields.topN("f", Sorts.ascending("s"), "$x", 2, w),
                WindowOutputFields.bottom("f", Sorts.ascending("s"), "$x", w),
                WindowOutputFields.bottomN("f", Sorts.ascending("s"), "$x", 2, null),
                WindowOutputFields.shift("f", "$x", "none", -1),
                WindowOutputFields.shift("f", "$x", null, 1),
                WindowOutputFields.documentNumber("f"),
                WindowOutputFields.rank("f"),
                WindowOutputFields.denseRank("f"),
                WindowOutputFields.locf("f", "$x"),
                WindowOutputFields.linearFill("f", "$x"))) {
            add(
                    Aggregates.setWindowFields("$p", Sorts.descending("s"), each),
                    Aggregates.setWindowFields(
                            new Document("a", "$b"), null, List.of(each, WindowOutputFields.rank("r"))));
        }
    }

    private void gaps() {
        add(
                Aggregates.densify("f", DensifyRange.fullRangeWithStep(2)),
                Aggregates.densify(
                        "f",
                        DensifyRange.partitionRangeWithStep(2.5),
                        DensifyOptions.densifyOptions().partitionByFields("p", "q")),
                Aggregates.densify("f", DensifyRange.rangeWithStep(1, 9L, 2)),
                Aggregates.densify("f", DensifyRange.fullRangeWithStep(3, MongoTimeUnit.MONTH)),
                Aggregates.densify("f", DensifyRange.partitionRangeWithStep(3, MongoTimeUnit.YEAR)),
                Aggregates.densify(
                        "f",
                        DensifyRange.rangeWithStep(
                                Instant.ofEpochMilli(5), Instant.ofEpochMilli(6), 1, MongoTimeUnit.SECOND)),
                Aggregates.densify(
                        "f",
                        DensifyRange.of(new Document("step", 1)),
                        DensifyOptions.densifyOptions().option("o", 1)),
                Aggregates.fill(
                        FillOptions.fillOptions().sortBy(Sorts.ascending("s")),
                        FillOutputField.linear("a"),
                        FillOutputField.locf("b"),
                        FillOutputField.value("c", 7)),
                Aggregates.fill(
                        FillOptions.fillOptions().partitionBy("$p").option("o", 1),
                        List.of(FillOutputField.value("c", "$d"))),
                Aggregates.fill(
                        FillOptions.fillOptions().partitionBy("$p").partitionByFields("q", "r"),
                        List.of(FillOutputField.of(new Document("c", new Document("value", 1))))));
    }

    private void shapes() {
        List<Position> ring =
                Arrays.asList(new Position(0, 0), new Position(4, 0), new Position(4, 4), new Position(0, 0));
        List<Position> hole =
                Arrays.asList(new Position(2, 1), new Position(3, 1), new Position(3, 2), new Position(2, 1));
        add(
                Filters.geoWithin("g", new Polygon(ring)),
                Filters.geoWithin("g", new Polygon(ring, Arrays.asList(hole))),
                Filters.geoIntersects("g", new Point(new Position(1, 2, 3))),
                Filters.geoIntersects("g", new LineString(Arrays.asList(new Position(1, 2), new Position(3, 4)))),
                Filters.geoIntersects(
                        "g", new MultiPoint(Arrays.asList(new Position(1, 2), new Position(Arrays.asList(3.0, 4.0))))),
                Filters.geoIntersects("g", new MultiLineString(Arrays.asList(ring, hole))),
                Filters.geoIntersects(
                        "g",
                        new MultiPolygon(Arrays.asList(
                                new PolygonCoordinates(ring), new PolygonCoordinates(ring, Arrays.asList(hole))))),
                Filters.geoIntersects(
                        "g", new GeometryCollection(Arrays.asList(new Point(new Position(1, 2)), new Polygon(ring)))),
                Filters.near("g", new Point(new Position(1, 2)), 5.0, null),
                Filters.nearSphere("g", new Point(new Position(1, 2)), null, 2.0),
                Filters.geoWithinBox("g", 1, 2, 3, 4),
                Aggregates.geoNear(new Point(new Position(1, 2)), "d"),
                Aggregates.geoNear(
                        new Point(new Position(1, 2)),
                        "d",
                        GeoNearOptions.geoNearOptions()
                                .distanceMultiplier(2)
                                .includeLocs("l")
                                .key("k")
                                .minDistance(1)
                                .maxDistance(2.5)
                                .query(new Document("x", 1))
                                .spherical()));
    }

    private void searches() {
        SearchOptions options = SearchOptions.searchOptions()
                .index("i")
                .highlight(SearchHighlight.paths(SearchPath.fieldPath("f"), SearchPath.fieldPath("g"))
                        .maxCharsToExamine(10)
                        .maxNumPassages(2))
                .count(SearchCount.lowerBound().threshold(5))
                .returnStoredSource(true)
                .option("o", 1);
        for (SearchOperator each : List.of(
                SearchOperator.exists(SearchPath.fieldPath("f")),
                SearchOperator.text(SearchPath.fieldPath("f"), "x").fuzzy(),
                SearchOperator.text(SearchPath.fieldPath("f").multi("m"), "x")
                        .fuzzy(FuzzySearchOptions.fuzzySearchOptions()
                                .maxEdits(1)
                                .prefixLength(2)
                                .maxExpansions(3))
                        .score(SearchScore.boost(2.5f)),
                SearchOperator.text(
                                List.of(SearchPath.fieldPath("f"), SearchPath.wildcardPath("w*")), List.of("x", "y"))
                        .synonyms("s"),
                SearchOperator.autocomplete(SearchPath.fieldPath("f"), "x"),
                SearchOperator.autocomplete(SearchPath.fieldPath("f"), "x", "y")
                        .anyTokenOrder()
                        .fuzzy(),
                SearchOperator.autocomplete(SearchPath.fieldPath("f"), List.of("x"))
                        .sequentialTokenOrder(),
                SearchOperator.phrase(SearchPath.fieldPath("f"), "x y").slop(2),
                SearchOperator.wildcard(SearchPath.fieldPath("f"), "x*"),
                SearchOperator.regex(SearchPath.fieldPath("f"), "x.*"),
                SearchOperator.queryString(SearchPath.fieldPath("f"), "a AND b"),
                SearchOperator.numberRange(SearchPath.fieldPath("f")).gt(1),
                SearchOperator.numberRange(SearchPath.fieldPath("f"), SearchPath.fieldPath("g"))
                        .gteLt(1, 2.5),
                SearchOperator.dateRange(SearchPath.fieldPath("f"))
                        .gtLte(Instant.ofEpochMilli(1), Instant.ofEpochMilli(2)),
                SearchOperator.near(1, 2.5, SearchPath.fieldPath("f")),
                SearchOperator.near(
                        Instant.ofEpochMilli(1),
                        Duration.ofSeconds(2),
                        SearchPath.fieldPath("f"),
                        SearchPath.fieldPath("g")),
                SearchOperator.near(new Point(new Position(1, 2)), 3, SearchPath.fieldPath("f")),
                SearchOperator.in(SearchPath.fieldPath("f"), "a", "b"),
                SearchOperator.in(SearchPath.fieldPath("f"), 1, 2),
                SearchOperator.equals(SearchPath.fieldPath("f"), true),
                SearchOperator.equals(SearchPath.fieldPath("f"), "x").score(SearchScore.constant(2)),
                SearchOperator.equalsNull(SearchPath.fieldPath("f")),
                SearchOperator.moreLikeThis(new BsonDocument("a", new BsonInt32(1))),
                SearchOperator.exists(SearchPath.fieldPath("f"))
                        .score(SearchScore.boost(SearchPath.fieldPath("g")).undefined(1.5f)),
                SearchOperator.compound()
                        .should(List.of(
                                SearchOperator.exists(SearchPath.fieldPath("f")),
                                SearchOperator.text(SearchPath.fieldPath("g"), "x")))
                        .minimumShouldMatch(1),
                SearchOperator.compound()
                        .must(List.of(SearchOperator.exists(SearchPath.fieldPath("f"))))
                        .mustNot(List.of(SearchOperator.exists(SearchPath.fieldPath("g"))))
                        .filter(List.of(SearchOperator.exists(SearchPath.fieldPath("f")))),
                SearchOperator.of(new Document("exists", new Document("path", "p"))))) {
            add(Aggregates.search(each), Aggregates.search(each, options), Aggregates.searchMeta(each, options));
        }
        add(
                Aggregates.searchMeta(
                        SearchOperator.exists(SearchPath.fieldPath("f")),
                        SearchOptions.searchOptions().count(SearchCount.total())),
                Aggregates.vectorSearch(
                        SearchPath.fieldPath("f"),
                        List.of(1.0, 2.5),
                        "i",
                        3,
                        VectorSearchOptions.exactVectorSearchOptions()),
                Aggregates.vectorSearch(
                        SearchPath.fieldPath("f"),
                        List.of(1.0),
                        "i",
                        3,
                        VectorSearchOptions.approximateVectorSearchOptions(50).filter(Filters.eq("x", 1))));
    }
}
