package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** {@code $setWindowFields}: partitions, each sorted, and a window of documents or of a range of the sort key for each. */
record Windows(Order order) {
    List<BsonDocument> run(BsonDocument argument, List<BsonDocument> documents) {
        Expressions expressions = new Expressions(order);
        TreeMap<BsonValue, List<BsonDocument>> partitions = new TreeMap<>(order);
        for (BsonDocument each : documents) {
            BsonValue key = Expressions.orNull(expressions.evaluate(Fields.of(argument, "partitionBy"), each));
            if (key.isArray()) {
                throw new Refused();
            }
            partitions.computeIfAbsent(key, same -> new ArrayList<>()).add(each);
        }
        Sorting sorting = new Sorting(argument.getDocument("sortBy"), order);
        List<BsonDocument> result = new ArrayList<>();
        for (List<BsonDocument> members : partitions.values()) {
            List<BsonDocument> sorted = sorting.sorted(members);
            for (int i = 0; i < sorted.size(); i++) {
                BsonDocument made = sorted.get(i).clone();
                int at = i;
                argument.getDocument("output")
                        .forEach((name, call) -> Projection.set(
                                made, List.of(name.split("\\.")), output(call.asDocument(), sorted, at, sorting)));
                result.add(made);
            }
        }
        return result;
    }

    /** Null for no value: the field is missing then. */
    private @Nullable BsonValue output(BsonDocument call, List<BsonDocument> sorted, int at, Sorting sorting) {
        BsonDocument self = sorted.get(at);
        Expressions expressions = new Expressions(order);
        return switch (call.getFirstKey()) {
            case "$documentNumber" -> new BsonInt32(at + 1);
            case "$rank" ->
                new BsonInt32(1
                        + (int) sorted.stream()
                                .filter(each -> sorting.compare(each, self) < 0)
                                .count());
            case "$denseRank" -> {
                int rank = 1;
                for (int i = 1; i <= at; i++) {
                    rank += sorting.compare(sorted.get(i - 1), sorted.get(i)) == 0 ? 0 : 1;
                }
                yield new BsonInt32(rank);
            }
            case "$first", "$last" -> {
                List<BsonDocument> window = window(call, sorted, at, sorting);
                BsonValue input = Fields.first(call);
                boolean last = call.containsKey("$last");
                yield window.isEmpty()
                        ? BsonNull.VALUE
                        : expressions.evaluate(input, last ? window.getLast() : window.getFirst());
            }
            case "$shift" -> {
                BsonDocument shift = call.getDocument("$shift");
                int other = at + shift.getInt32("by").getValue();
                yield other < 0 || other >= sorted.size()
                        ? shift.get("default")
                        : expressions.evaluate(Fields.of(shift, "output"), sorted.get(other));
            }
            case "$sum" -> narrowed(new Accumulators(expressions).of(call, window(call, sorted, at, sorting)));
            default -> new Accumulators(expressions).of(call, window(call, sorted, at, sorting));
        };
    }

    /** The sum of whole numbers in a window is an int if it fits, whatever their types. */
    private static BsonValue narrowed(BsonValue sum) {
        return sum.isInt64() && sum.asInt64().getValue() == (int) sum.asInt64().getValue()
                ? new BsonInt32((int) sum.asInt64().getValue())
                : sum;
    }

    private static List<BsonDocument> window(BsonDocument call, List<BsonDocument> sorted, int at, Sorting sorting) {
        BsonDocument window = call.getDocument("window", new BsonDocument());
        if (window.containsKey("documents")) {
            BsonArray ends = window.getArray("documents");
            int from = ends.get(0).isString()
                    ? lower(ends.get(0), at)
                    : at + ends.get(0).asInt32().getValue();
            int to = ends.get(1).isString()
                    ? upper(ends.get(1), at, sorted.size())
                    : at + ends.get(1).asInt32().getValue();
            from = Math.max(0, from);
            to = Math.min(sorted.size() - 1, to);
            return from > to ? List.of() : sorted.subList(from, to + 1);
        }
        if (window.containsKey("range")) {
            BsonArray ends = window.getArray("range");
            String field = sorting.pattern().getFirstKey();
            double here = place(sorted.get(at), field);
            return sorted.stream()
                    .filter(each -> {
                        double distance = place(each, field) - here;
                        return distance >= distance(ends.get(0), Double.NEGATIVE_INFINITY)
                                && distance <= distance(ends.get(1), Double.POSITIVE_INFINITY);
                    })
                    .toList();
        }
        return sorted;
    }

    private static int lower(BsonValue end, int at) {
        return end.asString().getValue().equals("current") ? at : 0;
    }

    private static int upper(BsonValue end, int at, int size) {
        return end.asString().getValue().equals("current") ? at : size - 1;
    }

    private static double place(BsonDocument document, String field) {
        if (document.get(field) instanceof BsonNumber number) {
            return number.doubleValue();
        }
        throw new Refused();
    }

    private static double distance(BsonValue end, double unbounded) {
        return !end.isString()
                ? end.asNumber().doubleValue()
                : end.asString().getValue().equals("current") ? 0 : unbounded;
    }
}
