package dev.semel.driver.model;

import java.util.Arrays;
import java.util.List;
import org.bson.BsonInt32;
import org.bson.conversions.Bson;

/** Builders for sort orders. */
public final class Sorts {
    private Sorts() {}

    public static Bson ascending(String... fields) {
        return ascending(Arrays.asList(fields));
    }

    public static Bson ascending(List<String> fields) {
        return Parts.each(fields, new BsonInt32(1));
    }

    public static Bson descending(String... fields) {
        return descending(Arrays.asList(fields));
    }

    public static Bson descending(List<String> fields) {
        return Parts.each(fields, new BsonInt32(-1));
    }

    public static Bson metaTextScore(String field) {
        return Projections.metaTextScore(field);
    }

    /** By the first order; documents that are equal in it by the next. */
    public static Bson orderBy(Bson... sorts) {
        return orderBy(Arrays.asList(sorts));
    }

    public static Bson orderBy(List<? extends Bson> sorts) {
        return new Combined(sorts, Combined.Repeated.IN_FIRST_PLACE);
    }
}
