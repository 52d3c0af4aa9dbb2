package dev.semel.server.catalog;

import dev.semel.query.geo.CellSpace;
import dev.semel.query.geo.Locations;
import dev.semel.query.geo.PlaneCells;
import dev.semel.query.geo.SphereCells;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keys of the cells in which shapes are, combined with the values of the other columns: each cell with each combination of
 * values. Documents without a shape have no keys, except in the first version of an index on the sphere.
 */
record GeoKeys(List<KeyColumn> columns, CellSpace cells, IndexKeys others) implements KeyGenerator {
    /** A document whose shapes and arrays give more keys than this is refused. */
    static final int KEYS_MAX = 200_000;

    GeoKeys(List<KeyColumn> columns, CellSpace cells) {
        this(columns, cells, new IndexKeys(otherPaths(columns)));
    }

    private static List<DottedPath> otherPaths(List<KeyColumn> columns) {
        return columns.stream()
                .filter(each -> !each.kind().isGeo())
                .map(KeyColumn::path)
                .toList();
    }

    @Override
    public IndexKeys.Extraction extract(RawDocument document) {
        long[] arrays = new long[columns.size()];
        List<List<@Nullable Value>> shapes = new ArrayList<>();
        boolean found = false;
        long combinations = 1;
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).kind().isGeo()) {
                continue;
            }
            List<@Nullable Value> keys = cells(i, document, arrays);
            found |= !keys.isEmpty();
            if (keys.isEmpty()) {
                keys.add(null);
            }
            combinations = Math.min(KEYS_MAX + 1L, combinations * keys.size());
            shapes.add(keys);
        }
        if (!found && !holdsAll()) {
            return new IndexKeys.Extraction(List.of(), arrays, true);
        }
        IndexKeys.Extraction rest = others.extract(document);
        if (combinations * rest.keys().size() > KEYS_MAX) {
            throw new CommandException(
                    ErrorCode.CannotBuildIndexKeys,
                    "the shapes and arrays of a document have more than %d keys in an index",
                    KEYS_MAX);
        }
        int other = 0;
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).kind().isGeo()) {
                arrays[i] = rest.arrays()[other++];
            }
        }
        List<@Nullable Value[]> keys = new ArrayList<>();
        for (@Nullable Value[] values : rest.keys()) {
            combine(values, shapes, keys);
        }
        return new IndexKeys.Extraction(keys, arrays, !found && rest.missing());
    }

    private boolean holdsAll() {
        return cells instanceof SphereCells(int version) && version == 1;
    }

    private void combine(@Nullable Value[] others, List<List<@Nullable Value>> shapes, List<@Nullable Value[]> into) {
        int[] chosen = new int[shapes.size()];
        while (true) {
            @Nullable Value[] key = new @Nullable Value[columns.size()];
            int shape = 0;
            int other = 0;
            for (int i = 0; i < key.length; i++) {
                if (columns.get(i).kind().isGeo()) {
                    key[i] = shapes.get(shape).get(chosen[shape]);
                    shape++;
                } else {
                    key[i] = others[other++];
                }
            }
            into.add(key);
            int turn = chosen.length - 1;
            while (turn >= 0 && ++chosen[turn] == shapes.get(turn).size()) {
                chosen[turn--] = 0;
            }
            if (turn < 0) {
                return;
            }
        }
    }

    private List<@Nullable Value> cells(int column, RawDocument document, long[] arrays) {
        DottedPath path = columns.get(column).path();
        Locations locations = Locations.of(path, document);
        Set<Long> keys = new TreeSet<>();
        boolean several = false;
        switch (cells) {
            case SphereCells sphere -> {
                Locations known = sphere.version() == 1 ? locations : locations.withoutBlank();
                for (Value each : known.values()) {
                    Set<Long> cover = sphere.keys(path.last(), each, document);
                    several |= cover.size() > 1;
                    keys.addAll(cover);
                    if (keys.size() > KEYS_MAX) {
                        break;
                    }
                }
            }
            case PlaneCells plane -> {
                List<RawDocument> pairs = locations.pairs();
                several = pairs.size() > 1;
                for (RawDocument each : pairs) {
                    keys.add(plane.key(each, document));
                }
            }
        }
        arrays[column] = locations.arrays() | (several ? 1L << (path.size() - 1) : 0);
        List<@Nullable Value> values = new ArrayList<>();
        keys.forEach(each -> values.add(Value.of(each)));
        return values;
    }
}
