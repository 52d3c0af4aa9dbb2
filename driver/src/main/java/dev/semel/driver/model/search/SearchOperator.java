package dev.semel.driver.model.search;

import dev.semel.driver.model.geojson.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/** What is searched for. Immutable: each method returns another. */
public class SearchOperator extends SearchPart {
    private final String name;

    SearchOperator(String name, Document fields) {
        super(fields);
        this.name = name;
    }

    @Override
    Document document() {
        return new Document(name, super.document());
    }

    public SearchOperator score(SearchScore value) {
        return new SearchOperator(name, and("score", value));
    }

    /** To be completed by one clause at least. */
    public static CompoundSearchOperator compound() {
        return new CompoundSearchOperator(new Document());
    }

    public static SearchOperator exists(FieldSearchPath path) {
        return new SearchOperator("exists", new Document("path", path.toValue()));
    }

    public static TextSearchOperator text(SearchPath path, String query) {
        return text(List.of(path), List.of(query));
    }

    public static TextSearchOperator text(Iterable<? extends SearchPath> paths, Iterable<String> queries) {
        return new TextSearchOperator(queryFirst(paths, queries));
    }

    public static AutocompleteSearchOperator autocomplete(FieldSearchPath path, String query, String... more) {
        return autocomplete(path, list(query, more));
    }

    public static AutocompleteSearchOperator autocomplete(FieldSearchPath path, Iterable<String> queries) {
        return new AutocompleteSearchOperator(
                new Document("query", SearchPath.oneOrAll(list(queries))).append("path", path.toValue()));
    }

    public static PhraseSearchOperator phrase(SearchPath path, String query) {
        return phrase(List.of(path), List.of(query));
    }

    public static PhraseSearchOperator phrase(Iterable<? extends SearchPath> paths, Iterable<String> queries) {
        return new PhraseSearchOperator(query(paths, queries));
    }

    public static SearchOperator wildcard(SearchPath path, String query) {
        return wildcard(List.of(query), List.of(path));
    }

    public static SearchOperator wildcard(Iterable<String> queries, Iterable<? extends SearchPath> paths) {
        return new SearchOperator("wildcard", queryFirst(paths, queries));
    }

    public static SearchOperator regex(SearchPath path, String query) {
        return regex(List.of(path), List.of(query));
    }

    public static SearchOperator regex(Iterable<? extends SearchPath> paths, Iterable<String> queries) {
        return new SearchOperator("regex", query(paths, queries));
    }

    public static SearchOperator queryString(FieldSearchPath defaultPath, String query) {
        return new SearchOperator(
                "queryString", new Document("defaultPath", defaultPath.toValue()).append("query", query));
    }

    public static RangeSearchOperator<Number> numberRange(FieldSearchPath path, FieldSearchPath... more) {
        return numberRange(list(path, more));
    }

    public static RangeSearchOperator<Number> numberRange(Iterable<? extends FieldSearchPath> paths) {
        return new RangeSearchOperator<>(new Document("path", SearchPath.value(paths)));
    }

    public static RangeSearchOperator<Instant> dateRange(FieldSearchPath path, FieldSearchPath... more) {
        return dateRange(list(path, more));
    }

    public static RangeSearchOperator<Instant> dateRange(Iterable<? extends FieldSearchPath> paths) {
        return new RangeSearchOperator<>(new Document("path", SearchPath.value(paths)));
    }

    /** A value as far away as the pivot counts half. */
    public static SearchOperator near(Number origin, Number pivot, FieldSearchPath path, FieldSearchPath... more) {
        return near(origin, pivot, list(path, more));
    }

    public static SearchOperator near(Number origin, Number pivot, Iterable<? extends FieldSearchPath> paths) {
        return near((Object) origin, pivot, paths);
    }

    public static SearchOperator near(Instant origin, Duration pivot, FieldSearchPath path, FieldSearchPath... more) {
        return near(origin, pivot, list(path, more));
    }

    public static SearchOperator near(Instant origin, Duration pivot, Iterable<? extends FieldSearchPath> paths) {
        return near((Object) origin, pivot.toMillis(), paths);
    }

    public static SearchOperator near(Point origin, Number pivot, FieldSearchPath path, FieldSearchPath... more) {
        return near(origin, pivot, list(path, more));
    }

    public static SearchOperator near(Point origin, Number pivot, Iterable<? extends FieldSearchPath> paths) {
        return near((Object) origin, pivot, paths);
    }

    private static SearchOperator near(Object origin, Number pivot, Iterable<? extends FieldSearchPath> paths) {
        return new SearchOperator(
                "near",
                new Document("origin", origin)
                        .append("path", SearchPath.value(paths))
                        .append("pivot", pivot));
    }

    public static SearchOperator in(FieldSearchPath path, String value, String... more) {
        return in(path, list(value, more));
    }

    public static SearchOperator in(FieldSearchPath path, Number value, Number... more) {
        return in(path, list(value, more));
    }

    public static SearchOperator in(FieldSearchPath path, Instant value, Instant... more) {
        return in(path, list(value, more));
    }

    public static SearchOperator in(FieldSearchPath path, ObjectId value, ObjectId... more) {
        return in(path, list(value, more));
    }

    public static SearchOperator in(FieldSearchPath path, UUID value, UUID... more) {
        return in(path, list(value, more));
    }

    public static SearchOperator in(FieldSearchPath path, Iterable<?> values) {
        return new SearchOperator("in", new Document("path", path.toValue()).append("value", list(values)));
    }

    public static SearchOperator equals(FieldSearchPath path, boolean value) {
        return equal(path, value);
    }

    public static SearchOperator equals(FieldSearchPath path, ObjectId value) {
        return equal(path, value);
    }

    public static SearchOperator equals(FieldSearchPath path, Number value) {
        return equal(path, value);
    }

    public static SearchOperator equals(FieldSearchPath path, Instant value) {
        return equal(path, value);
    }

    public static SearchOperator equals(FieldSearchPath path, String value) {
        return equal(path, value);
    }

    public static SearchOperator equals(FieldSearchPath path, UUID value) {
        return equal(path, value);
    }

    public static SearchOperator equalsNull(FieldSearchPath path) {
        return equal(path, BsonNull.VALUE);
    }

    private static SearchOperator equal(FieldSearchPath path, Object value) {
        return new SearchOperator("equals", new Document("path", path.toValue()).append("value", value));
    }

    public static SearchOperator moreLikeThis(BsonDocument like) {
        return moreLikeThis(List.of(like));
    }

    public static SearchOperator moreLikeThis(Iterable<BsonDocument> like) {
        return new SearchOperator("moreLikeThis", new Document("like", SearchPath.oneOrAll(list(like))));
    }

    /** Of an operator that has no method. */
    public static SearchOperator of(Bson operator) {
        BsonDocument given = operator.toBsonDocument();
        return new SearchOperator(given.getFirstKey(), new Document(given.getDocument(given.getFirstKey())));
    }

    private static Document queryFirst(Iterable<? extends SearchPath> paths, Iterable<String> queries) {
        return new Document("query", SearchPath.oneOrAll(list(queries))).append("path", SearchPath.value(paths));
    }

    private static Document query(Iterable<? extends SearchPath> paths, Iterable<String> queries) {
        return new Document("path", SearchPath.value(paths)).append("query", SearchPath.oneOrAll(list(queries)));
    }

    private static <T> List<T> list(Iterable<? extends T> values) {
        var all = new ArrayList<T>();
        values.forEach(all::add);
        return all;
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // copied
    private static <T> List<T> list(T first, T... more) {
        var all = new ArrayList<T>();
        all.add(first);
        all.addAll(Arrays.asList(more));
        return all;
    }
}
