package dev.semel.server.catalog;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key for each value of a document, of the path to it and the value itself. Arrays are no part of a path, but those
 * directly within arrays are values. Each path with an array has a further key with the number 1 in the column of the
 * path and the path in that of the value: a query finds by it whether the snapshot it reads has arrays there. With
 * regular fields, each of their values goes with each of these keys, and a document without any has one of its own.
 *
 * @param regular the regular fields; null without any
 * @param before how many of them come before the wildcard
 */
record WildcardKeys(WildcardPaths paths, @Nullable IndexKeys regular, int before, int columns) implements KeyGenerator {
    /** In the column of the path: the key says where an array is. */
    static final Value ARRAY = Value.of(1);

    static WildcardKeys of(IndexSpec spec) {
        List<DottedPath> regular = new ArrayList<>();
        int before = 0;
        for (KeyPattern.Field each : spec.key().fields()) {
            if (each.kind() == IndexKind.WILDCARD) {
                before = regular.size();
            } else {
                regular.add(DottedPath.of(each.path()));
            }
        }
        return new WildcardKeys(
                spec.wildcardPaths(),
                regular.isEmpty() ? null : new IndexKeys(regular),
                before,
                spec.key().columns().size());
    }

    @Override
    public List<DottedPath> reads(List<DottedPath> columnPaths) {
        return List.of();
    }

    @Override
    public IndexKeys.Extraction extract(RawDocument document) {
        Walk walk = new Walk();
        walk.through(document, false, null);
        long[] arrays = new long[columns];
        if (regular == null) {
            walk.found.addAll(walk.arrays);
            return new IndexKeys.Extraction(walk.found, arrays, false);
        }
        if (walk.found.isEmpty()) {
            walk.found.add(new @Nullable Value[] {Value.MIN_KEY, Value.MIN_KEY});
        }
        IndexKeys.Extraction others = regular.extract(document);
        List<@Nullable Value[]> keys = new ArrayList<>();
        for (@Nullable Value[] other : others.keys()) {
            for (@Nullable Value[] pair : walk.found) {
                keys.add(combined(other, pair));
            }
        }
        for (@Nullable Value[] pair : walk.arrays) {
            keys.add(combined(null, pair));
        }
        for (int i = 0; i < others.arrays().length; i++) {
            arrays[i < before ? i : i + 2] = others.arrays()[i];
        }
        return new IndexKeys.Extraction(keys, arrays, false);
    }

    private @Nullable Value[] combined(@Nullable Value @Nullable [] other, @Nullable Value[] pair) {
        @Nullable Value[] key = new @Nullable Value[columns];
        for (int i = 0; i < columns; i++) {
            if (i == before || i == before + 1) {
                key[i] = pair[i - before];
            } else {
                key[i] = other == null ? Value.MIN_KEY : other[i < before ? i : i - 2];
            }
        }
        return key;
    }

    private final class Walk {
        private final List<@Nullable Value[]> found = new ArrayList<>();
        private final List<@Nullable Value[]> arrays = new ArrayList<>();

        private void through(RawDocument inside, boolean isArray, @Nullable String above) {
            for (ElementCursor at = inside.cursor(); at.next(); ) {
                String path = isArray && above != null ? above : above == null ? at.name() : above + "." + at.name();
                value(at.value(), isArray, path);
            }
        }

        private void value(Value value, boolean isElement, String path) {
            switch (value) {
                case Value.Array(RawDocument elements)
                when !isElement -> {
                    if (paths.mayCoverBelow(DottedPath.of(path))) {
                        arrays.add(new @Nullable Value[] {ARRAY, Value.of(path)});
                        if (elements.isEmpty()) {
                            add(path, Value.UNDEFINED);
                        }
                        through(elements, true, path);
                    }
                }
                case Value.Doc(RawDocument fields)
                when !fields.isEmpty() -> {
                    if (paths.mayCoverBelow(DottedPath.of(path))) {
                        through(fields, false, path);
                    }
                }
                default -> add(path, value);
            }
        }

        private void add(String path, Value value) {
            if (paths.covers(DottedPath.of(path))) {
                found.add(new @Nullable Value[] {Value.of(path), value});
            }
        }
    }
}
