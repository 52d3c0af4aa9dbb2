package dev.semel.driver.model;

import java.util.Arrays;
import java.util.List;
import org.bson.BsonString;
import org.bson.conversions.Bson;

/** Builders for index keys. */
public final class Indexes {
    private Indexes() {}

    public static Bson ascending(String... fields) {
        return Sorts.ascending(fields);
    }

    public static Bson ascending(List<String> fields) {
        return Sorts.ascending(fields);
    }

    public static Bson descending(String... fields) {
        return Sorts.descending(fields);
    }

    public static Bson descending(List<String> fields) {
        return Sorts.descending(fields);
    }

    public static Bson geo2dsphere(String... fields) {
        return geo2dsphere(Arrays.asList(fields));
    }

    public static Bson geo2dsphere(List<String> fields) {
        return Parts.each(fields, new BsonString("2dsphere"));
    }

    public static Bson geo2d(String field) {
        return Parts.of(field, new BsonString("2d"));
    }

    public static Bson text(String field) {
        return Parts.of(field, new BsonString("text"));
    }

    /** Of every string field. */
    public static Bson text() {
        return text("$**");
    }

    public static Bson hashed(String field) {
        return Parts.of(field, new BsonString("hashed"));
    }

    public static Bson compoundIndex(Bson... indexes) {
        return compoundIndex(Arrays.asList(indexes));
    }

    public static Bson compoundIndex(List<? extends Bson> indexes) {
        return new Combined(indexes, Combined.Repeated.IN_FIRST_PLACE);
    }
}
