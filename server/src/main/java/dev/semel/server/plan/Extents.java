package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.util.ArrayList;
import java.util.List;

/** What the answers of plans depend on when they are run to their end, and whether they are. */
final class Extents {
    /** A plan with more intervals than this locks what lies between them too: locks cost memory. */
    private static final int RANGES_MAX = 1_000;

    private Extents() {}

    static List<Extent> of(Plan plan) {
        List<Extent> all = new ArrayList<>();
        add(plan, all);
        return all;
    }

    private static void add(Plan plan, List<Extent> all) {
        switch (plan) {
            case Plan.Nothing ignored -> {}
            case Plan.CollectionScan scan ->
                all.add(new Extent(Table.DOCUMENTS, scan.collection().documents()));
            case Plan.ById byId -> all.add(new Extent(Table.DOCUMENTS, KeyRange.point(byId.key())));
            case Plan.IndexScan scan -> {
                for (KeyRange each : scan.range().ranges(scan.index().prefix(), RANGES_MAX)) {
                    all.add(new Extent(scan.index().table(), each));
                }
                addArrays(scan.bounds(), all);
            }
            case Plan.Merge merge -> merge.scans().forEach(each -> add(each, all));
            case Plan.Intersection common -> common.scans().forEach(each -> add(each, all));
            case Plan.Near near -> addWhole(near.bounds(), all);
            case Plan.Search search -> addTerms(search, all);
            case Plan.Union union -> union.any().forEach(each -> add(each, all));
            case Plan.Sorted sorted -> add(sorted.input(), all);
            case Plan.Skipped skipped -> add(skipped.input(), all);
            case Plan.Limited limited -> add(limited.input(), all);
            case Plan.Projected projected -> add(projected.input(), all);
        }
    }

    /** Cells are next to each other in another order than by distance. */
    static void addWhole(IndexBounds bounds, List<Extent> all) {
        all.add(new Extent(bounds.index().table(), bounds.index().range()));
        addArrays(bounds, all);
    }

    static void addTerms(Plan.Search search, List<Extent> all) {
        List<KeyRange> ranges = search.ranges();
        if (ranges.size() > RANGES_MAX) {
            ranges = List.of(
                    new KeyRange(ranges.getFirst().low(), ranges.getLast().high()));
        }
        ranges.forEach(each -> all.add(new Extent(search.index().table(), each)));
    }

    /** Bounds are as tight as they are because there are no arrays. */
    static void addArrays(IndexBounds bounds, List<Extent> all) {
        Index index = bounds.index();
        if (!index.isPrimary()) {
            all.add(new Extent(Table.CATALOG, index.arrays()));
        }
        for (KeyColumn column : bounds.columns()) {
            if (column.kind() == IndexKind.WILDCARD) {
                for (int size = 1; size <= column.path().size(); size++) {
                    all.add(new Extent(
                            Table.INDEXES, index.arraysAt(column.path().prefix(size))));
                }
            }
        }
    }

    /** Whether it may be run to less than its end, so that what it depends on is known only afterwards. */
    static boolean isLimited(Plan plan) {
        return switch (plan) {
            case Plan.Limited limited -> !sorts(limited.input());
            case Plan.Projected projected -> isLimited(projected.input());
            case Plan.Nothing ignored -> false;
            case Plan.CollectionScan ignored -> false;
            case Plan.ById ignored -> false;
            case Plan.IndexScan ignored -> false;
            case Plan.Merge ignored -> false;
            case Plan.Intersection ignored -> false;
            case Plan.Near ignored -> false;
            case Plan.Search ignored -> false;
            case Plan.Union ignored -> false;
            case Plan.Sorted ignored -> false;
            case Plan.Skipped ignored -> false;
        };
    }

    private static boolean sorts(Plan plan) {
        return switch (plan) {
            case Plan.Sorted ignored -> true;
            case Plan.Skipped skipped -> sorts(skipped.input());
            case Plan.Limited limited -> sorts(limited.input());
            case Plan.Projected projected -> sorts(projected.input());
            case Plan.Nothing ignored -> false;
            case Plan.CollectionScan ignored -> false;
            case Plan.ById ignored -> false;
            case Plan.IndexScan ignored -> false;
            case Plan.Merge ignored -> false;
            case Plan.Intersection ignored -> false;
            case Plan.Near ignored -> false;
            case Plan.Search ignored -> false;
            case Plan.Union ignored -> false;
        };
    }

    /** Whether it looks at documents at other places than its extents. */
    static boolean fetches(Plan plan) {
        return switch (plan) {
            case Plan.IndexScan scan ->
                !(scan.supply() instanceof Supply.Keys) && !scan.index().isPrimary();
            case Plan.Merge merge -> merge.scans().stream().anyMatch(Extents::fetches);
            case Plan.Intersection common -> !common.keysOnly();
            case Plan.Near ignored -> true;
            case Plan.Search ignored -> true;
            case Plan.Union union -> union.any().stream().anyMatch(Extents::fetches);
            case Plan.Sorted sorted -> fetches(sorted.input());
            case Plan.Skipped skipped -> fetches(skipped.input());
            case Plan.Limited limited -> fetches(limited.input());
            case Plan.Projected projected -> fetches(projected.input());
            case Plan.Nothing ignored -> false;
            case Plan.CollectionScan ignored -> false;
            case Plan.ById ignored -> false;
        };
    }

    /** What finds the documents, before anything is done with them. */
    static Plan source(Plan plan) {
        return switch (plan) {
            case Plan.Sorted sorted -> source(sorted.input());
            case Plan.Skipped skipped -> source(skipped.input());
            case Plan.Limited limited -> source(limited.input());
            case Plan.Projected projected -> source(projected.input());
            case Plan.Nothing ignored -> plan;
            case Plan.CollectionScan ignored -> plan;
            case Plan.ById ignored -> plan;
            case Plan.IndexScan ignored -> plan;
            case Plan.Merge ignored -> plan;
            case Plan.Intersection ignored -> plan;
            case Plan.Near ignored -> plan;
            case Plan.Search ignored -> plan;
            case Plan.Union ignored -> plan;
        };
    }
}
