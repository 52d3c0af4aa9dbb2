package dev.semel.server.reference;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonType;
import org.bson.BsonValue;

/** MongoDB's order of values: first by kind, then within the kind. */
final class Order implements Comparator<BsonValue> {
    static final Order SIMPLE = new Order(false);

    /** The collation {@code {locale: "en", strength: 2}}, for ASCII letters. */
    static final Order CASELESS = new Order(true);

    private final boolean caseless;

    private Order(boolean caseless) {
        this.caseless = caseless;
    }

    static int kind(BsonValue value) {
        return switch (value.getBsonType()) {
            case MIN_KEY -> -1;
            case UNDEFINED -> 0;
            case NULL -> 5;
            case INT32, INT64, DOUBLE, DECIMAL128 -> 10;
            case STRING, SYMBOL -> 15;
            case DOCUMENT -> 20;
            case ARRAY -> 25;
            case BINARY -> 30;
            case OBJECT_ID -> 35;
            case BOOLEAN -> 40;
            case DATE_TIME -> 45;
            case TIMESTAMP -> 47;
            case REGULAR_EXPRESSION -> 50;
            case MAX_KEY -> 127;
            default -> throw new AssertionError("not generated: " + value);
        };
    }

    boolean equal(BsonValue a, BsonValue b) {
        return compare(a, b) == 0;
    }

    @Override
    public int compare(BsonValue a, BsonValue b) {
        int kind = kind(a);
        if (kind != kind(b)) {
            return Integer.compare(kind, kind(b));
        }
        return switch (a.getBsonType()) {
            case INT32, INT64, DOUBLE, DECIMAL128 -> numbers(a.asNumber(), b.asNumber());
            case STRING ->
                caseless
                        ? lower(a).compareTo(lower(b))
                        : a.asString().getValue().compareTo(b.asString().getValue());
            case DOCUMENT -> documents(a.asDocument(), b.asDocument());
            case ARRAY -> lists(a.asArray().getValues(), b.asArray().getValues());
            case BOOLEAN -> a.asBoolean().compareTo(b.asBoolean());
            case DATE_TIME -> a.asDateTime().compareTo(b.asDateTime());
            case OBJECT_ID -> a.asObjectId().compareTo(b.asObjectId());
            case BINARY ->
                Arrays.compareUnsigned(a.asBinary().getData(), b.asBinary().getData());
            default -> 0;
        };
    }

    private static String lower(BsonValue text) {
        return text.asString().getValue().toLowerCase(Locale.ROOT);
    }

    /** NaN is before all other numbers. */
    private static int numbers(BsonNumber a, BsonNumber b) {
        if (isNaN(a) || isNaN(b)) {
            return Boolean.compare(isNaN(b), isNaN(a));
        }
        return exact(a).compareTo(exact(b));
    }

    static boolean isNaN(BsonValue value) {
        return switch (value.getBsonType()) {
            case DOUBLE -> Double.isNaN(value.asDouble().getValue());
            case DECIMAL128 -> value.asDecimal128().getValue().isNaN();
            default -> false;
        };
    }

    static BigDecimal exact(BsonNumber number) {
        return switch (number.getBsonType()) {
            case DOUBLE -> new BigDecimal(number.doubleValue());
            case DECIMAL128 -> new BigDecimal(number.decimal128Value().toString());
            default -> BigDecimal.valueOf(number.longValue());
        };
    }

    /** Field after field: the kind of the value, then the name, then the value. */
    private int documents(BsonDocument a, BsonDocument b) {
        List<Map.Entry<String, BsonValue>> as = new ArrayList<>(a.entrySet());
        List<Map.Entry<String, BsonValue>> bs = new ArrayList<>(b.entrySet());
        for (int i = 0; i < Math.min(as.size(), bs.size()); i++) {
            int kinds =
                    Integer.compare(kind(as.get(i).getValue()), kind(bs.get(i).getValue()));
            int names = as.get(i).getKey().compareTo(bs.get(i).getKey());
            int order = kinds != 0
                    ? kinds
                    : names != 0
                            ? names
                            : compare(as.get(i).getValue(), bs.get(i).getValue());
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(as.size(), bs.size());
    }

    private int lists(List<BsonValue> a, List<BsonValue> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    static boolean isType(BsonValue value, String alias) {
        return switch (alias) {
            case "number" -> value.isNumber() || value.isDecimal128();
            case "int" -> value.getBsonType() == BsonType.INT32;
            case "long" -> value.getBsonType() == BsonType.INT64;
            case "double" -> value.getBsonType() == BsonType.DOUBLE;
            case "decimal" -> value.getBsonType() == BsonType.DECIMAL128;
            case "string" -> value.isString();
            case "object" -> value.isDocument();
            case "array" -> value.isArray();
            case "bool" -> value.isBoolean();
            case "null" -> value.isNull();
            case "date" -> value.isDateTime();
            default -> throw new AssertionError(alias);
        };
    }
}
