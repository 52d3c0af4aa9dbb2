package dev.semel.driver.model;

import java.util.Arrays;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** Builders for projections. */
public final class Projections {
    private Projections() {}

    public static Bson computed(String field, Object expression) {
        return Parts.of(field, expression);
    }

    public static Bson include(String... fields) {
        return include(Arrays.asList(fields));
    }

    public static Bson include(List<String> fields) {
        return Parts.each(fields, new BsonInt32(1));
    }

    public static Bson exclude(String... fields) {
        return exclude(Arrays.asList(fields));
    }

    public static Bson exclude(List<String> fields) {
        return Parts.each(fields, new BsonInt32(0));
    }

    public static Bson excludeId() {
        return exclude("_id");
    }

    /** The first array element that matches the filter. */
    public static Bson elemMatch(String field) {
        return Parts.of(field + ".$", new BsonInt32(1));
    }

    public static Bson elemMatch(String field, Bson filter) {
        return Parts.of(field, Parts.of("$elemMatch", filter));
    }

    public static Bson meta(String field, String name) {
        return Parts.of(field, Parts.of("$meta", new BsonString(name)));
    }

    public static Bson metaTextScore(String field) {
        return meta(field, "textScore");
    }

    public static Bson slice(String field, int limit) {
        return Parts.of(field, Parts.of("$slice", new BsonInt32(limit)));
    }

    public static Bson slice(String field, int skip, int limit) {
        return Parts.of(field, Parts.of("$slice", new BsonArray(List.of(new BsonInt32(skip), new BsonInt32(limit)))));
    }

    public static Bson fields(Bson... projections) {
        return fields(Arrays.asList(projections));
    }

    public static Bson fields(List<? extends Bson> projections) {
        return new Combined(projections, Combined.Repeated.IN_LAST_PLACE);
    }
}
