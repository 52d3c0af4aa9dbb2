package dev.semel.query.filter;

import dev.semel.query.geo.GeoPredicate;
import dev.semel.query.value.Collation;
import dev.semel.query.value.ElementTest;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is asked of one value, on its bytes. */
public sealed interface Condition extends ElementTest {

    /** Whether an array meets the condition through its elements, too. */
    default boolean searchesElements() {
        return true;
    }

    /** Equality and order, within a kind of values; a missing value counts as null. */
    final class Compare implements Condition {
        private final Comparison comparison;
        private final Operand operand;

        public Compare(Comparison comparison, Value value, Collation collation) {
            this.comparison = comparison;
            this.operand = new Operand(value, collation);
        }

        public Comparison comparison() {
            return comparison;
        }

        public Value value() {
            return operand.value();
        }

        /** What the value is compared by under the collation. */
        public Value key() {
            return operand.key();
        }

        public Collation collation() {
            return operand.collation();
        }

        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return operand.test(comparison, type, bytes, at);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Compare that && comparison == that.comparison && operand.equals(that.operand);
        }

        @Override
        public int hashCode() {
            return 31 * comparison.operator().hashCode() + operand.hashCode();
        }

        @Override
        public String toString() {
            return comparison.operator() + " " + operand;
        }
    }

    /** Equal to one of the values, which are in order and differ, or matched by one of the expressions. */
    final class In implements Condition {
        private final List<Operand> operands;
        private final List<RegexPattern> patterns;
        private final Collation collation;

        public In(List<Value> values, List<RegexPattern> patterns, Collation collation) {
            this.operands = distinct(values, collation);
            this.collation = collation;
            this.patterns = List.copyOf(patterns);
        }

        private static List<Operand> distinct(List<Value> values, Collation collation) {
            var sorted = values.stream()
                    .map(each -> new Operand(each, collation))
                    .sorted(Operand::order)
                    .toList();
            var distinct = new java.util.ArrayList<Operand>(sorted.size());
            for (Operand each : sorted) {
                if (distinct.isEmpty() || distinct.getLast().order(each) != 0) {
                    distinct.add(each);
                }
            }
            return distinct;
        }

        public List<Value> values() {
            return operands.stream().map(Operand::value).toList();
        }

        /** What the values are compared by under the collation. */
        public List<Value> keys() {
            return operands.stream().map(Operand::key).toList();
        }

        public Collation collation() {
            return collation;
        }

        public List<RegexPattern> patterns() {
            return patterns;
        }

        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            int low = 0;
            int high = operands.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int order = operands.get(middle).order(type, bytes, at);
                if (order == 0) {
                    return true;
                }
                if (order < 0) {
                    high = middle - 1;
                } else {
                    low = middle + 1;
                }
            }
            for (int i = 0; i < patterns.size(); i++) {
                if (patterns.get(i).test(type, bytes, at)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof In that && operands.equals(that.operands) && patterns.equals(that.patterns);
        }

        @Override
        public int hashCode() {
            return 31 * operands.hashCode() + patterns.hashCode();
        }

        @Override
        public String toString() {
            return "$in " + operands + patterns;
        }
    }

    record Exists() implements Condition {
        @Override
        public boolean searchesElements() {
            return false;
        }

        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return type != MISSING;
        }
    }

    record Type(Set<BsonType> types) implements Condition {
        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return type != MISSING && types.contains(BsonType.of(type));
        }

        @Override
        public String toString() {
            return types.stream().sorted().map(BsonType::alias).collect(Collectors.joining(", ", "$type ", ""));
        }
    }

    record Size(long size) implements Condition {
        @Override
        public boolean searchesElements() {
            return false;
        }

        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return isArray(type) && RawDocument.view(bytes, at).size() == size;
        }
    }

    record Mod(long divisor, long remainder) implements Condition {
        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return switch (type) {
                case 0x10 -> LittleEndian.int32(bytes, at) % divisor == remainder;
                case 0x12 -> LittleEndian.int64(bytes, at) % divisor == remainder;
                case 0x01, 0x13 -> {
                    var truncated = WholeNumbers.truncated(ElementCursor.decode(bytes, type, at));
                    yield truncated.isPresent() && truncated.getAsLong() % divisor == remainder;
                }
                default -> false;
            };
        }
    }

    /** {@code $bitsAllSet} and its like, on whole numbers and binary data. */
    record Bits(BitMask mask, Wanted wanted) implements Condition {
        /** Which of the mask's bits must be how. */
        public enum Wanted {
            ALL_SET,
            ALL_CLEAR,
            ANY_SET,
            ANY_CLEAR
        }

        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return mask.test(wanted, type, bytes, at);
        }
    }

    record Regex(RegexPattern pattern) implements Condition {
        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return pattern.test(type, bytes, at);
        }
    }

    /** {@code $geoWithin} and {@code $geoIntersects}. */
    record Geo(GeoPredicate predicate) implements Condition {
        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return predicate.test(type, bytes, at);
        }
    }

    /** An array with an element that meets the condition, or an element that is a document which matches the filter. */
    sealed interface ElemMatch extends Condition {
        @Override
        default boolean searchesElements() {
            return false;
        }

        @Override
        default boolean test(byte type, byte[] bytes, int at) {
            return find(type, bytes, at) >= 0;
        }

        /** The position of the first such element, or -1. */
        default int find(byte type, byte[] bytes, int at) {
            if (!isArray(type)) {
                return -1;
            }
            var element = RawDocument.view(bytes, at).cursor();
            for (int i = 0; element.next(); i++) {
                if (testElement(bytes[element.elementStart()], bytes, element.valueStart())) {
                    return i;
                }
            }
            return -1;
        }

        boolean testElement(byte type, byte[] bytes, int at);
    }

    record ElemMatchValue(Condition condition) implements ElemMatch {
        @Override
        public boolean testElement(byte type, byte[] bytes, int at) {
            return condition.test(type, bytes, at);
        }
    }

    /** An element that is itself an array is a document whose names are its positions. */
    record ElemMatchDocument(Filter filter) implements ElemMatch {
        @Override
        public boolean testElement(byte type, byte[] bytes, int at) {
            return (type == BsonType.DOCUMENT.code() || isArray(type)) && filter.matches(bytes, at);
        }
    }

    /** Only below {@link ElemMatchValue}: all of the conditions, of the same element. */
    record All(List<Condition> all) implements Condition {
        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            for (int i = 0; i < all.size(); i++) {
                if (!all.get(i).test(type, bytes, at)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Only below {@link ElemMatchValue}: an element that does not meet the condition. */
    record Not(Condition condition) implements Condition {
        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            return !condition.test(type, bytes, at);
        }
    }

    private static boolean isArray(byte type) {
        return type == BsonType.ARRAY.code();
    }
}
