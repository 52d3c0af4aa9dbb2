package dev.semel.conformance.adapter;

import java.time.Duration;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What arguments hold, and results are made of. */
public final class Values {
    private Values() {}

    public static boolean bool(BsonValue value) {
        return value.asBoolean().getValue();
    }

    public static int number(BsonValue value) {
        return value.asNumber().intValue();
    }

    public static long longNumber(BsonValue value) {
        return value.asNumber().longValue();
    }

    public static String string(BsonValue value) {
        return value.asString().getValue();
    }

    public static List<BsonDocument> documents(BsonValue array) {
        return array.asArray().stream().map(BsonValue::asDocument).toList();
    }

    public static Driven.Outcome result(@Nullable BsonValue value) {
        return value == null ? Driven.Outcome.NONE : new Driven.Result(value);
    }

    public static Driven.Outcome count(long value) {
        return new Driven.Result(new BsonInt64(value));
    }

    public static Driven.Outcome all(Iterable<BsonDocument> documents) {
        BsonArray array = new BsonArray();
        documents.forEach(array::add);
        return new Driven.Result(array);
    }

    public static Driven.Outcome strings(Iterable<String> names) {
        BsonArray array = new BsonArray();
        names.forEach(each -> array.add(new BsonString(each)));
        return new Driven.Result(array);
    }

    public static BsonValue orNull(@Nullable BsonValue value) {
        return value == null ? BsonNull.VALUE : value;
    }

    public static Duration millis(BsonValue value) {
        return Duration.ofMillis(longNumber(value));
    }
}
