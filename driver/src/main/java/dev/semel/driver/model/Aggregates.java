package dev.semel.driver.model;

import dev.semel.driver.model.fill.FillOptions;
import dev.semel.driver.model.fill.FillOutputField;
import dev.semel.driver.model.geojson.Point;
import dev.semel.driver.model.search.FieldSearchPath;
import dev.semel.driver.model.search.SearchOperator;
import dev.semel.driver.model.search.SearchOptions;
import dev.semel.driver.model.search.VectorSearchOptions;
import dev.semel.driver.setting.MongoNamespace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Stages of a pipeline. */
public final class Aggregates {
    private Aggregates() {}

    public static Bson addFields(Field<?>... fields) {
        return addFields(Arrays.asList(fields));
    }

    public static Bson addFields(List<? extends Field<?>> fields) {
        return Parts.of("$addFields", assignments(fields));
    }

    public static Bson set(Field<?>... fields) {
        return set(Arrays.asList(fields));
    }

    public static Bson set(List<? extends Field<?>> fields) {
        return Parts.of("$set", assignments(fields));
    }

    public static Bson unset(String... fields) {
        return unset(Arrays.asList(fields));
    }

    public static Bson unset(List<String> fields) {
        return Parts.of("$unset", fields.size() == 1 ? fields.getFirst() : Parts.Row.of(fields));
    }

    public static <T> Bson bucket(Object groupBy, List<T> boundaries) {
        return bucket(groupBy, boundaries, new BucketOptions());
    }

    public static <T> Bson bucket(@Nullable Object groupBy, List<T> boundaries, BucketOptions options) {
        return Parts.of(
                "$bucket",
                Parts.of("groupBy", groupBy)
                        .with("boundaries", Parts.Row.of(boundaries))
                        .withIfSet("default", options.getDefaultBucket())
                        .withIfSet("output", output(options.getOutput())));
    }

    public static Bson bucketAuto(@Nullable Object groupBy, int buckets) {
        return bucketAuto(groupBy, buckets, new BucketAutoOptions());
    }

    public static Bson bucketAuto(@Nullable Object groupBy, int buckets, BucketAutoOptions options) {
        BucketGranularity granularity = options.getGranularity();
        return Parts.of(
                "$bucketAuto",
                Parts.of("groupBy", groupBy)
                        .with("buckets", new BsonInt32(buckets))
                        .withIfSet("output", output(options.getOutput()))
                        .withIfSet("granularity", granularity == null ? null : granularity.getValue()));
    }

    public static Bson count() {
        return count("count");
    }

    public static Bson count(String field) {
        return Parts.of("$count", new BsonString(field));
    }

    public static Bson match(Bson filter) {
        return Parts.of("$match", filter);
    }

    public static Bson project(Bson projection) {
        return Parts.of("$project", projection);
    }

    public static Bson sort(Bson sort) {
        return Parts.of("$sort", sort);
    }

    public static Bson sortByCount(@Nullable Object expression) {
        return Parts.of("$sortByCount", expression);
    }

    public static Bson skip(int skip) {
        return Parts.of("$skip", new BsonInt32(skip));
    }

    public static Bson limit(int limit) {
        return Parts.of("$limit", new BsonInt32(limit));
    }

    /** The documents of another collection whose foreign field equals the local one. */
    public static Bson lookup(String from, String localField, String foreignField, String as) {
        return Parts.of(
                "$lookup",
                Parts.of("from", from)
                        .with("localField", localField)
                        .with("foreignField", foreignField)
                        .with("as", as));
    }

    public static Bson lookup(@Nullable String from, List<? extends Bson> pipeline, String as) {
        return lookup(from, null, pipeline, as);
    }

    /** The result of a pipeline on another collection, or, without a collection, on documents of its own. */
    public static Bson lookup(
            @Nullable String from,
            @Nullable List<? extends Variable<?>> let,
            List<? extends Bson> pipeline,
            String as) {
        return Parts.of(
                "$lookup",
                Parts.empty()
                        .withIfSet("from", from)
                        .withIfSet("let", variables(let))
                        .with("pipeline", Parts.Row.of(pipeline))
                        .with("as", as));
    }

    public static Bson facet(List<Facet> facets) {
        var all = Parts.empty();
        for (Facet facet : facets) {
            all = all.with(facet.name(), Parts.Row.of(facet.pipeline()));
        }
        return Parts.of("$facet", all);
    }

    public static Bson facet(Facet... facets) {
        return facet(Arrays.asList(facets));
    }

    public static Bson graphLookup(
            String from, @Nullable Object startWith, String connectFromField, String connectToField, String as) {
        return graphLookup(from, startWith, connectFromField, connectToField, as, new GraphLookupOptions());
    }

    public static Bson graphLookup(
            String from,
            @Nullable Object startWith,
            String connectFromField,
            String connectToField,
            String as,
            GraphLookupOptions options) {
        return Parts.of(
                "$graphLookup",
                Parts.of("from", from)
                        .with("startWith", startWith)
                        .with("connectFromField", connectFromField)
                        .with("connectToField", connectToField)
                        .with("as", as)
                        .withIfSet("maxDepth", options.getMaxDepth())
                        .withIfSet("depthField", options.getDepthField())
                        .withIfSet("restrictSearchWithMatch", options.getRestrictSearchWithMatch()));
    }

    public static Bson group(@Nullable Object id, BsonField... accumulators) {
        return group(id, Arrays.asList(accumulators));
    }

    public static Bson group(@Nullable Object id, List<BsonField> accumulators) {
        var group = Parts.of("_id", id);
        for (BsonField each : accumulators) {
            group = group.with(each.name(), each.value());
        }
        return Parts.of("$group", group);
    }

    public static Bson unionWith(String collection, List<? extends Bson> pipeline) {
        return Parts.of("$unionWith", Parts.of("coll", collection).with("pipeline", Parts.Row.of(pipeline)));
    }

    /** The path begins with a dollar sign. */
    public static Bson unwind(String path) {
        return Parts.of("$unwind", new BsonString(path));
    }

    public static Bson unwind(String path, UnwindOptions options) {
        return Parts.of(
                "$unwind",
                Parts.of("path", path)
                        .withIfSet("preserveNullAndEmptyArrays", options.isPreserveNullAndEmptyArrays())
                        .withIfSet("includeArrayIndex", options.getIncludeArrayIndex()));
    }

    public static Bson out(String collection) {
        return Parts.of("$out", new BsonString(collection));
    }

    public static Bson out(String database, String collection) {
        return out(Parts.of("db", database).with("coll", collection));
    }

    /** To a target that only some servers support. */
    public static Bson out(Bson target) {
        return Parts.of("$out", target);
    }

    public static Bson merge(String collection) {
        return merge(collection, new MergeOptions());
    }

    public static Bson merge(MongoNamespace namespace) {
        return merge(namespace, new MergeOptions());
    }

    public static Bson merge(String collection, MergeOptions options) {
        return mergeInto(collection, options);
    }

    public static Bson merge(MongoNamespace namespace, MergeOptions options) {
        return mergeInto(Parts.of("db", namespace.databaseName()).with("coll", namespace.collectionName()), options);
    }

    public static Bson replaceRoot(Object expression) {
        return Parts.of("$replaceRoot", Parts.of("newRoot", expression));
    }

    public static Bson replaceWith(Object expression) {
        return Parts.of("$replaceWith", expression);
    }

    public static Bson sample(int size) {
        return Parts.of("$sample", Parts.of("size", size));
    }

    /** Documents given in the pipeline itself instead of a collection. */
    public static Bson documents(List<? extends Bson> documents) {
        return Parts.of("$documents", Parts.Row.of(documents));
    }

    /** Window functions over the documents around each document. Null: one partition, no order. */
    public static Bson setWindowFields(
            @Nullable Object partitionBy, @Nullable Bson sortBy, WindowOutputField first, WindowOutputField... more) {
        return setWindowFields(partitionBy, sortBy, withFirst(first, more));
    }

    public static Bson setWindowFields(
            @Nullable Object partitionBy, @Nullable Bson sortBy, List<? extends WindowOutputField> output) {
        var fields = Parts.empty();
        for (WindowOutputField each : output) {
            fields = fields.with(each.field().name(), each.field().value());
        }
        return Parts.of(
                "$setWindowFields",
                Parts.empty()
                        .withIfSet("partitionBy", partitionBy)
                        .withIfSet("sortBy", sortBy)
                        .with("output", fields));
    }

    /** Adds documents for missing values of a field; the range is a {@code DensifyRange}. */
    public static Bson densify(String field, Bson range) {
        return densify(field, range, Parts.empty());
    }

    /** The range is a {@code DensifyRange}, the options are {@code DensifyOptions}. */
    public static Bson densify(String field, Bson range, Bson options) {
        return Parts.of("$densify", all(Parts.of("field", field), Parts.of("range", range), options));
    }

    /** Values for fields that are missing or null. */
    public static Bson fill(FillOptions options, FillOutputField first, FillOutputField... more) {
        return fill(options, withFirst(first, more));
    }

    public static Bson fill(FillOptions options, List<? extends FillOutputField> output) {
        return Parts.of(
                "$fill", all(options, Parts.of("output", new Combined(output, Combined.Repeated.IN_LAST_PLACE))));
    }

    /** The documents near a point, the nearest first; the field gets the distance. */
    public static Bson geoNear(Point near, String distanceField, GeoNearOptions options) {
        return Parts.of("$geoNear", all(Parts.of("near", near), Parts.of("distanceField", distanceField), options));
    }

    public static Bson geoNear(Point near, String distanceField) {
        return geoNear(near, distanceField, GeoNearOptions.geoNearOptions());
    }

    /** The documents that a search index finds; servers without search indexes refuse it. */
    public static Bson search(SearchOperator operator) {
        return search(operator, SearchOptions.searchOptions());
    }

    public static Bson search(SearchOperator operator, SearchOptions options) {
        return Parts.of("$search", all(operator, options));
    }

    /** Metadata of the documents that a search would find. */
    public static Bson searchMeta(SearchOperator operator) {
        return searchMeta(operator, SearchOptions.searchOptions());
    }

    public static Bson searchMeta(SearchOperator operator, SearchOptions options) {
        return Parts.of("$searchMeta", all(operator, options));
    }

    /** The documents with the nearest vectors. */
    public static Bson vectorSearch(
            FieldSearchPath path, Iterable<Double> queryVector, String index, long limit, VectorSearchOptions options) {
        return Parts.of(
                "$vectorSearch",
                all(
                        Parts.of("path", path.toValue())
                                .with("queryVector", Parts.Row.of(queryVector))
                                .with("index", index)
                                .with("limit", limit),
                        options));
    }

    private static Bson all(Bson... parts) {
        return new Combined(Arrays.asList(parts), Combined.Repeated.IN_LAST_PLACE);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // copied
    private static <T> List<T> withFirst(T first, T... more) {
        var all = new ArrayList<T>();
        all.add(first);
        all.addAll(Arrays.asList(more));
        return all;
    }

    private static Parts assignments(List<? extends Field<?>> fields) {
        var all = Parts.empty();
        for (Field<?> each : fields) {
            all = all.with(each.name(), each.value());
        }
        return all;
    }

    private static @Nullable Parts variables(@Nullable List<? extends Variable<?>> variables) {
        if (variables == null) {
            return null;
        }
        var all = Parts.empty();
        for (Variable<?> each : variables) {
            all = all.with(each.name(), each.value());
        }
        return all;
    }

    private static @Nullable Parts output(@Nullable List<BsonField> fields) {
        if (fields == null || fields.isEmpty()) {
            return null;
        }
        var all = Parts.empty();
        for (BsonField each : fields) {
            all = all.with(each.name(), each.value());
        }
        return all;
    }

    private static Bson mergeInto(Object target, MergeOptions options) {
        var on = options.getUniqueIdentifier();
        var matched = options.getWhenMatched();
        var pipeline = options.getWhenMatchedPipeline();
        var notMatched = options.getWhenNotMatched();
        Object whenMatched = matched == MergeOptions.WhenMatched.PIPELINE
                ? Parts.Row.of(pipeline == null ? List.of() : pipeline)
                : matched == null ? null : matched.label();
        return Parts.of(
                "$merge",
                Parts.of("into", target)
                        .withIfSet("on", on == null ? null : on.size() == 1 ? on.getFirst() : Parts.Row.of(on))
                        .withIfSet("let", variables(options.getVariables()))
                        .withIfSet("whenMatched", whenMatched)
                        .withIfSet("whenNotMatched", notMatched == null ? null : notMatched.label()));
    }
}
