package dev.semel.query.value;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a document has in an index over these paths, in no particular order and not yet without duplicates.
 *
 * <p>An array on a path gives one key per element. All paths of a key share one array; two different ones in one
 * document are refused, because their product could be large. An empty array is {@code undefined} where the path ends at
 * it, and what lies below it is missing. Missing values are null in a key: an index stores them as BSON null, unless it
 * is sparse and the whole key is missing.
 */
public final class IndexKeys {
    private final List<DottedPath> paths;

    public IndexKeys(List<DottedPath> paths) {
        this.paths = List.copyOf(paths);
    }

    /**
     * What one document has.
     *
     * @param keys each with one value per path
     * @param arrays per path, a bit for each part at which an array was spread over several keys: bit 0 for the first
     *     part. An index is multikey in a path from the first document on that sets a bit there.
     * @param missing whether no path of the index leads to anything, so that a sparse index leaves the document out
     */
    public record Extraction(List<@Nullable Value[]> keys, long[] arrays, boolean missing) {}

    public Extraction extract(RawDocument document) {
        var walk = new Walk();
        var ends = new End[paths.size()];
        for (int i = 0; i < ends.length; i++) {
            ends[i] = walk.from(i, 0, document);
        }
        walk.spread(ends);
        return new Extraction(walk.keys, walk.arrays, areMissing(walk.keys));
    }

    private static boolean areMissing(List<@Nullable Value[]> keys) {
        for (@Nullable Value[] key : keys) {
            for (@Nullable Value value : key) {
                if (value != null) {
                    return false;
                }
            }
        }
        return true;
    }

    /** How far a path got: to its value, or to an array with this part of it still to follow. */
    private record End(@Nullable Value value, @Nullable RawDocument array, int part) {
        private static final End MISSING = new End(null, null, 0);
    }

    private final class Walk {
        private final List<@Nullable Value[]> keys = new ArrayList<>();
        private final long[] arrays = new long[paths.size()];

        private End from(int field, int part, RawDocument document) {
            DottedPath path = paths.get(field);
            Value value = document.get(path.partUtf8(part));
            return value == null ? End.MISSING : at(field, part + 1, value);
        }

        /** Follows the path through a value reached by the parts before this one. */
        private End at(int field, int part, Value value) {
            DottedPath path = paths.get(field);
            return switch (value) {
                case Value.Doc(RawDocument inner) ->
                    part == path.size() ? new End(value, null, part) : from(field, part, inner);
                case Value.Array(RawDocument elements) -> {
                    Value element = part == path.size() ? null : positional(path, part, elements);
                    yield element == null ? new End(null, elements, part) : at(field, part + 1, element);
                }
                default -> part == path.size() ? new End(value, null, part) : End.MISSING;
            };
        }

        /** Spreads the array at which paths stopped, element by element, until no path stands before an array. */
        private void spread(End[] ends) {
            RawDocument array = sharedArray(ends);
            if (array == null) {
                @Nullable Value[] key = new @Nullable Value[ends.length];
                for (int i = 0; i < ends.length; i++) {
                    key[i] = ends[i].value();
                }
                keys.add(key);
                return;
            }
            for (int i = 0; i < ends.length; i++) {
                if (ends[i].array() != null) {
                    arrays[i] |= 1L << (ends[i].part() - 1);
                }
            }
            if (array.isEmpty()) {
                spread(elementOf(ends, null));
                return;
            }
            for (ElementCursor at = array.cursor(); at.next(); ) {
                spread(elementOf(ends, at.value()));
            }
        }

        private End[] elementOf(End[] ends, @Nullable Value element) {
            End[] next = new End[ends.length];
            for (int i = 0; i < ends.length; i++) {
                next[i] = ends[i].array() == null ? ends[i] : elementOf(i, ends[i].part(), element);
            }
            return next;
        }

        /** An array directly inside an array is not spread again: it is a value, or has nothing at the rest of the path. */
        private End elementOf(int field, int part, @Nullable Value element) {
            if (part == paths.get(field).size()) {
                return new End(element == null ? Value.UNDEFINED : element, null, part);
            }
            return element instanceof Value.Doc(RawDocument inner) ? from(field, part, inner) : End.MISSING;
        }

        /** All arrays are views of one document, so their offsets identify them. */
        private @Nullable RawDocument sharedArray(End[] ends) {
            int first = -1;
            for (int i = 0; i < ends.length; i++) {
                RawDocument array = ends[i].array();
                if (array == null) {
                    continue;
                }
                RawDocument shared = first < 0 ? null : ends[first].array();
                if (shared != null && shared.offset() != array.offset()) {
                    throw new CommandException(
                            ErrorCode.CannotIndexParallelArrays,
                            "cannot index parallel arrays [%s] [%s]",
                            paths.get(i).part(ends[i].part() - 1),
                            paths.get(first).part(ends[first].part() - 1));
                }
                first = first < 0 ? i : first;
            }
            return first < 0 ? null : ends[first].array();
        }
    }

    /** The element that the next part of a path names by its position, or null if it names no position there. */
    private static @Nullable Value positional(DottedPath path, int part, RawDocument elements) {
        int index = path.index(part);
        if (index < 0) {
            return null;
        }
        Value found = null;
        ElementCursor at = elements.cursor();
        for (int i = 0; at.next(); i++) {
            if (i == index) {
                found = at.value();
            } else if (at.value() instanceof Value.Doc(RawDocument element)
                    && element.get(path.partUtf8(part)) != null) {
                throw ambiguous(path.part(part));
            }
        }
        if (found instanceof Value.Doc(RawDocument element) && element.get(path.partUtf8(part)) != null) {
            throw ambiguous(path.part(part));
        }
        return found;
    }

    private static CommandException ambiguous(String part) {
        return new CommandException(
                ErrorCode.location(16746),
                "Ambiguous field name found in array (do not use numeric field names in embedded elements in an array),"
                        + " field: '%s' for array",
                part);
    }
}
