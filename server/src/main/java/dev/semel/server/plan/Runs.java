package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.InsertionOrder;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens plans. */
final class Runs {
    private Runs() {}

    static Run open(Plan plan, Reading reading) {
        return switch (plan) {
            case Plan.Nothing ignored -> new None(reading);
            case Plan.CollectionScan scan -> {
                InsertionOrder order = scan.collection().order();
                yield order == null ? new CollectionRun(scan, reading) : new InsertionRun(scan, order, reading);
            }
            case Plan.ById byId -> new IdRun(byId, reading);
            case Plan.IndexScan scan -> new IndexRun(scan, null, reading);
            case Plan.Merge merge -> new MergeRun(merge, reading);
            case Plan.Intersection common -> new IntersectionRun(common, reading);
            case Plan.Near near -> new NearRun(near, reading);
            case Plan.Search search -> new SearchRun(search, reading);
            case Plan.Union union -> new UnionRun(union, reading);
            case Plan.Sorted sorted -> new SortRun(open(sorted.input(), reading, Long.MAX_VALUE), sorted, reading);
            case Plan.Skipped(Plan input, long count) ->
                new WindowRun(open(input, reading, plus(reading.wanted(), count)), count, Long.MAX_VALUE, reading);
            case Plan.Limited(Plan input, long count) -> new WindowRun(open(input, reading, count), 0, count, reading);
            case Plan.Projected(Plan input, RawDocument ignored) ->
                new WindowRun(open(input, reading), 0, Long.MAX_VALUE, reading);
        };
    }

    private static Run open(Plan input, Reading reading, long wanted) {
        reading.want(wanted);
        return open(input, reading);
    }

    private static long plus(long wanted, long count) {
        return wanted > Long.MAX_VALUE - count ? Long.MAX_VALUE : wanted + count;
    }

    /** No document at all. */
    static final class None extends Run {
        None(Reading reading) {
            super(reading);
        }

        @Override
        boolean move() {
            return false;
        }

        @Override
        public RawDocument document() {
            throw new IllegalStateException("no document");
        }

        @Override
        public byte[] key() {
            throw new IllegalStateException("no document");
        }

        @Override
        byte @Nullable [] entryKey() {
            return null;
        }

        @Override
        @Nullable
        Index index() {
            return null;
        }

        @Override
        void addExtents(List<Extent> extents) {}

        @Override
        public long keysExamined() {
            return 0;
        }

        @Override
        public long documentsExamined() {
            return 0;
        }
    }
}
