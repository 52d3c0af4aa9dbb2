package dev.semel.query.value;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.HeapBytes;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of documents under a sort pattern. Missing is null. An array counts by its least element where the sort goes
 * up and by its greatest where it goes down; if several paths lead through one array, one of its elements decides for all
 * of them.
 *
 * <p>To sort many documents take each one's {@link #key} once and compare keys; comparing documents takes the keys
 * again each time.
 */
public final class SortOrder implements Comparator<RawDocument> {
    private final SortPattern pattern;
    private final DottedPath[] paths;
    private final boolean[] ascending;
    private final IndexKeys keys;
    private final Collation collation;

    public SortOrder(SortPattern pattern) {
        this.pattern = pattern;
        List<SortPattern.Part> parts = pattern.parts();
        this.paths = parts.stream().map(SortPattern.Part::path).toArray(DottedPath[]::new);
        this.ascending = new boolean[paths.length];
        for (int i = 0; i < ascending.length; i++) {
            ascending[i] = parts.get(i).ascending();
        }
        this.keys = new IndexKeys(List.of(paths));
        this.collation = pattern.collation();
    }

    public SortPattern pattern() {
        return pattern;
    }

    /** What a document sorts by: one value per path of the pattern, mostly views into the document's bytes. */
    public record Key(List<Value> values) {}

    /** What the document sorts by. */
    public Key key(RawDocument document) {
        Value[] values = new Value[paths.length];
        for (int i = 0; i < paths.length; i++) {
            Value value = plain(paths[i], document);
            if (value == null) {
                return least(document);
            }
            values[i] = collation.key(value);
        }
        return new Key(List.of(values));
    }

    /** What a key holds in the heap beside the document: with a collation, texts in another form. */
    public long copiedBytes(Key key) {
        long bytes = 0;
        if (!collation.isSimple()) {
            for (Value each : key.values()) {
                bytes += switch (each) {
                    case Value.Str(Text text) -> HeapBytes.ofArray(text.length());
                    case Value.Doc(RawDocument document) -> HeapBytes.ofArray(document.length());
                    default -> 0;
                };
            }
        }
        return bytes;
    }

    /** The value at the path, or null if there is an array on the way or at its end. */
    private static @Nullable Value plain(DottedPath path, RawDocument document) {
        RawDocument in = document;
        int last = path.size() - 1;
        for (int i = 0; i < last; i++) {
            switch (in.get(path.partUtf8(i))) {
                case Value.Doc(RawDocument inner) -> in = inner;
                case Value.Array ignored -> {
                    return null;
                }
                case null, default -> {
                    return Value.NULL;
                }
            }
        }
        Value value = in.get(path.partUtf8(last));
        return value == null ? Value.NULL : value instanceof Value.Array ? null : value;
    }

    private Key least(RawDocument document) {
        List<@Nullable Value[]> all;
        try {
            all = keys.extract(document).keys();
        } catch (CommandException e) {
            if (e.code().equals(ErrorCode.CannotIndexParallelArrays)) {
                throw new CommandException(ErrorCode.BadValue, "cannot sort with keys that are parallel arrays");
            }
            throw e;
        }
        Key least = key(all.getFirst());
        for (@Nullable Value[] each : all.subList(1, all.size())) {
            Key key = key(each);
            if (compare(key, least) < 0) {
                least = key;
            }
        }
        return least;
    }

    private Key key(@Nullable Value[] values) {
        Value[] keys = new Value[values.length];
        for (int i = 0; i < values.length; i++) {
            Value value = values[i];
            keys[i] = value == null ? Value.NULL : collation.key(value);
        }
        return new Key(List.of(keys));
    }

    /** The order of two keys that this sort has taken. */
    public int compare(Key a, Key b) {
        for (int i = 0; i < ascending.length; i++) {
            int order = ValueOrder.compare(a.values().get(i), b.values().get(i));
            if (order != 0) {
                return ascending[i] ? order : -order;
            }
        }
        return 0;
    }

    @Override
    public int compare(RawDocument a, RawDocument b) {
        return compare(key(a), key(b));
    }
}
