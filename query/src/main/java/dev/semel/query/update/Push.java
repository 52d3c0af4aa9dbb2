package dev.semel.query.update;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $push}: values go in at a position, then the array is sorted, then cut.
 *
 * @param position where they go in: from the end if negative; null for the end
 * @param slice how many stay: the last ones if negative; null for all
 */
record Push(
        List<Value> values,
        @Nullable Long position,
        @Nullable Comparator<Value> sort,
        @Nullable Long slice) implements Modification {
    static Push parse(Value value, FilterScope scope) {
        if (!(value instanceof Value.Doc(RawDocument clauses)) || !clauses.has("$each")) {
            return new Push(List.of(value), null, null, null);
        }
        List<Value> values = List.of();
        Long position = null;
        Comparator<Value> sort = null;
        Long slice = null;
        for (Element clause : clauses) {
            Value argument = clause.value();
            switch (clause.name()) {
                case "$each" -> values = each(argument);
                case "$position" ->
                    position = integer(argument, "The value for $position must be an integer value, not of type: ");
                case "$slice" ->
                    slice = integer(argument, "The value for $slice must be an integer value but was given type: ");
                case "$sort" -> sort = sort(argument, scope);
                default ->
                    throw new CommandException(ErrorCode.BadValue, "Unrecognized clause in $push: %s", clause.name());
            }
        }
        return new Push(values, position, sort, slice);
    }

    private static List<Value> each(Value value) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "The argument to $each in $push must be an array but it was of type: %s",
                    value.type());
        }
        return Application.values(elements);
    }

    private static Long integer(Value value, String message) {
        var number = Numbers.exactLong(value);
        if (number.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "%s%s", message, value.type());
        }
        return number.getAsLong();
    }

    private static Comparator<Value> sort(Value value, FilterScope scope) {
        Collation collation = scope.collation();
        if (Numbers.isNumber(value)) {
            return directed(collation::compare, ascending(value));
        }
        if (!(value instanceof Value.Doc(RawDocument pattern))) {
            throw invalidSort();
        }
        List<Comparator<Value>> orders = new ArrayList<>();
        for (Element part : pattern) {
            DottedPath path = sortPath(part.name(), scope);
            orders.add(directed((a, b) -> collation.compare(field(a, path), field(b, path)), ascending(part.value())));
        }
        if (orders.isEmpty()) {
            throw new CommandException(
                    ErrorCode.BadValue, "The $sort pattern is empty when it should be a set of fields.");
        }
        return (a, b) -> inTurn(orders, a, b);
    }

    /** There may be thousands, so they are not chained. */
    private static int inTurn(List<Comparator<Value>> orders, Value a, Value b) {
        for (Comparator<Value> each : orders) {
            int order = each.compare(a, b);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static DottedPath sortPath(String name, FilterScope scope) {
        if (name.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "The $sort field cannot be empty");
        }
        DottedPath path = scope.path(name);
        if (path.parts().contains("")) {
            throw new CommandException(
                    ErrorCode.BadValue, "The $sort field is a dotted field but has an empty part: %s", name);
        }
        return path;
    }

    private static Value field(Value element, DottedPath path) {
        Value value = element instanceof Value.Doc(RawDocument document) ? path.literal(document) : null;
        return value == null ? Value.NULL : value;
    }

    private static boolean ascending(Value direction) {
        var number = Numbers.exactLong(direction);
        if (number.isEmpty() || Math.abs(number.getAsLong()) != 1) {
            if (Numbers.isNumber(direction)) {
                throw new CommandException(ErrorCode.BadValue, "The $sort element value must be either 1 or -1");
            }
            throw invalidSort();
        }
        return number.getAsLong() == 1;
    }

    private static CommandException invalidSort() {
        return new CommandException(
                ErrorCode.BadValue,
                "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields");
    }

    private static Comparator<Value> directed(Comparator<Value> order, boolean ascending) {
        return ascending ? order : order.reversed();
    }

    @Override
    public Value apply(@Nullable Value before, Site site) {
        List<Value> after = new ArrayList<>();
        if (before != null) {
            if (!(before instanceof Value.Array(RawDocument elements))) {
                throw new CommandException(
                        ErrorCode.BadValue,
                        "The field '%s' must be an array but is of type %s in document %s",
                        site.path(),
                        before.type(),
                        site.document());
            }
            after = Application.values(elements);
        }
        after.addAll(insertionPoint(after.size()), values);
        if (sort != null) {
            after.sort(sort);
        }
        Value result = Application.array(sliced(after));
        return before != null && result.equals(before) ? before : result;
    }

    @Override
    public boolean isToldByElement(Value before) {
        if (sort != null || !(before instanceof Value.Array(RawDocument elements)) || elements.isEmpty()) {
            return false;
        }
        if (position == null && slice == null) {
            return true;
        }
        int size = Application.values(elements).size();
        // A position at the end, and an empty array, are no exceptions in MongoDB: all of the array is told.
        return (position == null || position > size) && (slice == null || !cuts(slice, size + values.size()));
    }

    /** Whether elements go; all of them if none shall stay. */
    private static boolean cuts(long slice, int size) {
        return slice < size && slice > -size;
    }

    private int insertionPoint(int size) {
        if (position == null) {
            return size;
        }
        return (int) (position < 0 ? Math.max(0, size + Math.max(position, -size)) : Math.min(position, size));
    }

    private List<Value> sliced(List<Value> all) {
        if (slice == null || !cuts(slice, all.size())) {
            return all;
        }
        int count = (int) Math.abs(slice);
        return slice < 0 ? all.subList(all.size() - count, all.size()) : all.subList(0, count);
    }
}
