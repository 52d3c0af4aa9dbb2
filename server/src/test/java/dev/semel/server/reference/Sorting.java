package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/** Documents in the order of a sort pattern: an array counts as its smallest element, in a descending field as its largest. */
record Sorting(BsonDocument pattern, Order order) implements Comparator<BsonDocument> {
    @Override
    public int compare(BsonDocument a, BsonDocument b) {
        for (Map.Entry<String, BsonValue> each : pattern.entrySet()) {
            boolean descending = each.getValue().asNumber().intValue() < 0;
            int sign = order.compare(key(a, each.getKey(), descending), key(b, each.getKey(), descending));
            if (sign != 0) {
                return descending ? -sign : sign;
            }
        }
        return 0;
    }

    List<BsonDocument> sorted(List<BsonDocument> documents) {
        if (documents.stream().anyMatch(this::hasTwoArrays)) {
            throw new Refused();
        }
        return documents.stream().sorted(this).toList();
    }

    private boolean hasTwoArrays(BsonDocument document) {
        Expressions expressions = new Expressions(order);
        return pattern.keySet().stream()
                        .filter(path -> expressions.evaluate(new BsonString("$" + path), document) instanceof BsonArray)
                        .count()
                > 1;
    }

    private BsonValue key(BsonDocument document, String path, boolean descending) {
        List<BsonValue> keys = new ArrayList<>();
        collect(document, List.of(path.split("\\.")), keys);
        return descending ? Collections.max(keys, order) : Collections.min(keys, order);
    }

    private static void collect(BsonValue from, List<String> path, List<BsonValue> keys) {
        if (path.isEmpty()) {
            if (from instanceof BsonArray array) {
                keys.addAll(array.isEmpty() ? List.of(new BsonUndefined()) : array);
            } else {
                keys.add(from);
            }
            return;
        }
        BsonValue value = from instanceof BsonDocument document ? document.get(path.getFirst()) : null;
        List<String> rest = path.subList(1, path.size());
        if (value instanceof BsonArray array && !rest.isEmpty()) {
            array.forEach(each -> collect(each, rest, keys));
            if (array.isEmpty()) {
                keys.add(BsonNull.VALUE);
            }
        } else {
            collect(value == null ? BsonNull.VALUE : value, value == null ? List.of() : rest, keys);
        }
    }
}
