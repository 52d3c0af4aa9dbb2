package dev.semel.query.pipeline;

import dev.semel.query.filter.Comparison;
import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Held;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What fields of different documents have in common. */
final class Joined {
    private Joined() {}

    /** With a document of that size its values need not be counted. */
    private static final int SMALL_BYTES = 1 << 10;

    /** What a value of an array takes beside its bytes: as an object, in sets, in a query and in the bounds of an index. */
    static final long VALUE_BYTES = 320;

    /** About what it takes on the heap to look for all the {@link #values}; 0 if it is not much. */
    static long heapBytes(RawDocument document, DottedPath path) {
        return document.length() <= SMALL_BYTES ? 0 : heapBytes(document, path, 0);
    }

    private static long heapBytes(RawDocument document, DottedPath path, int part) {
        Value value = document.get(path.partUtf8(part));
        boolean isLast = part == path.size() - 1;
        if (value instanceof Value.Array(RawDocument elements)) {
            long bytes = isLast ? elements.length() : 0;
            for (ElementCursor at = elements.cursor(); at.next(); ) {
                if (isLast) {
                    bytes += VALUE_BYTES;
                } else if (at.value() instanceof Value.Doc(RawDocument inner)) {
                    bytes += heapBytes(inner, path, part + 1);
                }
            }
            return bytes;
        }
        if (isLast) {
            return VALUE_BYTES + (value == null ? 0L : Held.bytes(value));
        }
        return value instanceof Value.Doc(RawDocument inner) ? heapBytes(inner, path, part + 1) : 0;
    }

    /** Every value at a path, those in arrays one by one. */
    static List<Value> values(RawDocument document, DottedPath path) {
        List<Value> found = new ArrayList<>();
        collect(document, path, 0, found);
        return found;
    }

    private static void collect(RawDocument document, DottedPath path, int part, List<Value> into) {
        Value value = document.get(path.partUtf8(part));
        boolean isLast = part == path.size() - 1;
        switch (value) {
            case null -> {}
            case Value.Array(RawDocument elements) -> {
                for (ElementCursor at = elements.cursor(); at.next(); ) {
                    if (isLast) {
                        into.add(at.value());
                    } else if (at.value() instanceof Value.Doc(RawDocument inner)) {
                        collect(inner, path, part + 1, into);
                    }
                }
            }
            default -> {
                if (isLast) {
                    into.add(value);
                } else if (value instanceof Value.Doc(RawDocument inner)) {
                    collect(inner, path, part + 1, into);
                }
            }
        }
    }

    /** Documents whose field equals one of the values; regular expressions are values like others. */
    static Filter equal(String field, Collection<Value> values, @Nullable RawDocument further, FilterScope scope) {
        Value only = values.size() == 1 ? values.iterator().next() : null;
        if (further == null && only != null && !(only instanceof Value.Regex) && only != Value.UNDEFINED) {
            return new Filter.Field(
                    DottedPath.of(field), new Condition.Compare(Comparison.EQ, only, scope.collation()));
        }
        BsonWriter filter = new BsonWriter(128);
        if (values.stream().noneMatch(Value.Regex.class::isInstance)) {
            filter.startDocument(field).startArray("$in");
            values.forEach(filter::add);
            filter.end().end();
        } else {
            filter.startArray("$or");
            values.forEach(each -> filter.startDocument()
                    .startDocument(field)
                    .put("$eq", each)
                    .end()
                    .end());
            filter.end();
        }
        RawDocument equality = filter.finish();
        RawDocument both = further == null
                ? equality
                : new BsonWriter()
                        .startArray("$and")
                        .add(equality)
                        .add(further)
                        .end()
                        .finish();
        long before = scope.environment().parsedBytes();
        Filter parsed = Filters.parse(both, scope);
        scope.environment().forgetParsed(before);
        return parsed;
    }
}
