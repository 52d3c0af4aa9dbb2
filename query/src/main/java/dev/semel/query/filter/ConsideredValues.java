package dev.semel.query.filter;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.ElementTest;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The values that a condition was asked of.
 *
 * @param exists whether the path leads to something, be it an empty array, which has no values
 * @param isCut whether there are more than these
 */
record ConsideredValues(boolean exists, List<Value> values, boolean isCut) {
    private static final int VALUES_MAX = 10;

    /** The elements of an array stand for it. */
    static ConsideredValues ofElements(DottedPath path, RawDocument document) {
        Set<Integer> ends = new HashSet<>();
        path.find(document, false, (type, bytes, at) -> {
            if (type == BsonType.ARRAY.code()) {
                ends.add(at);
            }
            return false;
        });
        return collected(path, document, true, ends);
    }

    /** An array is one value. */
    static ConsideredValues whole(DottedPath path, RawDocument document) {
        return collected(path, document, false, Set.of());
    }

    private static ConsideredValues collected(
            DottedPath path, RawDocument document, boolean elements, Set<Integer> ends) {
        Collector collector = new Collector(ends);
        path.find(document, elements, collector);
        return new ConsideredValues(collector.exists, List.copyOf(collector.values), collector.isCut);
    }

    List<BsonType> types() {
        return values.stream().map(Value::type).toList();
    }

    /** Takes what the path offers. */
    private static final class Collector implements ElementTest {
        private final List<Value> values = new ArrayList<>();

        /** Where the arrays begin to which the path leads. */
        private final Set<Integer> ends;

        private boolean exists;
        private boolean isCut;
        private int previous = -1;

        Collector(Set<Integer> ends) {
            this.ends = ends;
        }

        @Override
        public boolean test(byte type, byte[] bytes, int at) {
            if (type == MISSING) {
                // As in MongoDB, a document without the field hides those behind it.
                return true;
            }
            exists = true;
            boolean stands = !isAfterItsElements(type, bytes, at);
            previous = at;
            if (stands && values.size() == VALUES_MAX) {
                isCut = true;
                return true;
            }
            if (stands) {
                values.add(ElementCursor.decode(bytes, type, at));
            }
            return false;
        }

        /** An array is offered behind its elements, if it has any. */
        private boolean isAfterItsElements(byte type, byte[] bytes, int at) {
            if (type != BsonType.ARRAY.code() || !ends.contains(at)) {
                return false;
            }
            RawDocument elements = RawDocument.view(bytes, at);
            return elements.isEmpty() || (previous > at && previous < at + elements.length());
        }
    }
}
