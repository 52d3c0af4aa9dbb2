package dev.semel.server.plan;

import dev.semel.query.value.Collation;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Values of one field of an index: intervals in ascending order with gaps between them. */
public record Intervals(List<Interval> list) {
    static final Intervals NONE = new Intervals(List.of());
    static final Intervals ALL = new Intervals(List.of(Interval.ALL));

    static Intervals of(Interval interval) {
        return interval.isEmpty() ? NONE : new Intervals(List.of(interval));
    }

    static Intervals point(Value value) {
        return of(Interval.point(value));
    }

    static Intervals closed(Value low, Value high) {
        return of(Interval.closed(low, high));
    }

    /** Anything in any of them, in whatever order they come. */
    static Intervals union(List<Interval> any) {
        List<Interval> sorted = new ArrayList<>(any);
        sorted.removeIf(Interval::isEmpty);
        sorted.sort(Comparator.comparing((Interval each) -> each, Interval::compareLow));
        List<Interval> merged = new ArrayList<>(sorted.size());
        for (Interval next : sorted) {
            Interval last = merged.isEmpty() ? null : merged.getLast();
            if (last != null && last.reaches(next)) {
                Interval longer = last.compareHigh(next) >= 0 ? last : next;
                merged.set(
                        merged.size() - 1,
                        new Interval(last.low(), last.lowInclusive(), longer.high(), longer.highInclusive()));
            } else {
                merged.add(next);
            }
        }
        return new Intervals(List.copyOf(merged));
    }

    Intervals union(Intervals other) {
        List<Interval> both = new ArrayList<>(list);
        both.addAll(other.list);
        return union(both);
    }

    Intervals intersect(Intervals other) {
        if (isAll()) {
            return other;
        }
        List<Interval> result = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < list.size() && j < other.list.size()) {
            Interval mine = list.get(i);
            Interval theirs = other.list.get(j);
            Interval common = mine.intersect(theirs);
            if (!common.isEmpty()) {
                result.add(common);
            }
            if (mine.compareHigh(theirs) <= 0) {
                i++;
            } else {
                j++;
            }
        }
        return new Intervals(List.copyOf(result));
    }

    /** What all have in common; in pairs, so that many with few intervals each do not take quadratic time. */
    static Intervals intersection(List<Intervals> all) {
        List<Intervals> left = all;
        while (left.size() > 1) {
            List<Intervals> pairs = new ArrayList<>((left.size() + 1) / 2);
            for (int i = 0; i < left.size(); i += 2) {
                pairs.add(i + 1 < left.size() ? left.get(i).intersect(left.get(i + 1)) : left.get(i));
            }
            left = pairs;
        }
        return left.isEmpty() ? ALL : left.getFirst();
    }

    Intervals complement() {
        List<Interval> gaps = new ArrayList<>();
        Value low = Value.MIN_KEY;
        boolean lowInclusive = true;
        for (Interval each : list) {
            gaps.add(new Interval(low, lowInclusive, each.low(), !each.lowInclusive()));
            low = each.high();
            lowInclusive = !each.highInclusive();
        }
        gaps.add(new Interval(low, lowInclusive, Value.MAX_KEY, true));
        return union(gaps);
    }

    boolean isAll() {
        return list.size() == 1 && list.getFirst().isAll();
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    /** One value and no other. */
    boolean isPoint() {
        return list.size() == 1 && list.getFirst().isPoint();
    }

    /** Single values only. */
    boolean arePoints() {
        return list.stream().allMatch(Interval::isPoint);
    }

    /** Whether they mean the same values in every index, whatever its collation: no text decides about them. */
    boolean areFree() {
        return list.stream().allMatch(Interval::isFree);
    }

    // ---- by type

    /** Everything that sorts among the values of this type; numbers are one type here, and so are text and symbols. */
    static Intervals ofKind(BsonType type) {
        return switch (type) {
            case DOUBLE, INT32, INT64, DECIMAL128 -> closed(Value.of(Double.NaN), Value.of(Double.POSITIVE_INFINITY));
            case STRING, SYMBOL -> until(Value.of(""), Value.of(RawDocument.EMPTY));
            case DOCUMENT -> until(Value.of(RawDocument.EMPTY), new Value.Array(RawDocument.EMPTY));
            case ARRAY -> until(new Value.Array(RawDocument.EMPTY), FIRST_BINARY);
            case BINARY -> until(FIRST_BINARY, FIRST_ID);
            case UNDEFINED -> point(Value.UNDEFINED);
            case NULL -> point(Value.NULL);
            case OBJECT_ID -> closed(FIRST_ID, LAST_ID);
            case BOOLEAN -> closed(Value.FALSE, Value.TRUE);
            case DATE -> closed(new Value.Date(Long.MIN_VALUE), new Value.Date(Long.MAX_VALUE));
            case TIMESTAMP -> closed(new Value.Timestamp(0), new Value.Timestamp(-1));
            case REGEX -> until(FIRST_REGEX, FIRST_POINTER);
            case DB_POINTER -> until(FIRST_POINTER, FIRST_CODE);
            case CODE -> until(FIRST_CODE, FIRST_SCOPED);
            case CODE_WITH_SCOPE -> until(FIRST_SCOPED, Value.MAX_KEY);
            case MIN_KEY -> point(Value.MIN_KEY);
            case MAX_KEY -> point(Value.MAX_KEY);
        };
    }

    private static final Value FIRST_BINARY = new Value.Binary((byte) 0, new byte[0]);
    private static final ObjectId ZERO_ID = new ObjectId(0, 0);
    private static final Value FIRST_ID = Value.of(ZERO_ID);
    private static final Value LAST_ID = Value.of(new ObjectId(-1, -1));
    private static final Value FIRST_REGEX = new Value.Regex("", "");
    private static final Value FIRST_POINTER = new Value.DbPointer(Text.EMPTY, ZERO_ID);
    private static final Value FIRST_CODE = new Value.Code(Text.EMPTY);
    private static final Value FIRST_SCOPED = new Value.CodeWithScope(Text.EMPTY, RawDocument.EMPTY);

    private static Intervals until(Value low, Value high) {
        return of(new Interval(low, true, high, false));
    }

    /** As {@code explain} shows them, in the order in which a scan meets them. */
    void writeTo(BsonWriter array, boolean ascending, Collation collation) {
        List<Interval> order = ascending ? list : list.reversed();
        for (Interval each : order) {
            array.add(each.text(ascending, collation));
        }
    }
}
