package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.text.TextQuery;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plans and finished runs as {@code explain} shows them, in MongoDB's terms. */
public final class Explain {
    /** Of a search with many terms not every scan is shown. */
    private static final int TERMS_SHOWN_MAX = 100;

    private Explain() {}

    /** Adds {@code queryPlanner}. */
    public static void queryPlanner(
            BsonWriter out,
            Namespace namespace,
            Query query,
            Decision decision,
            boolean indexFilterSet,
            long planningMillis) {
        PlanKey key = decision.key(query);
        out.startDocument("queryPlanner")
                .put("namespace", namespace.toString())
                .put("parsedQuery", FilterText.of(query.filter()))
                .put("indexFilterSet", indexFilterSet)
                .put("queryHash", key.shapeHash())
                .put("planCacheShapeHash", key.shapeHash())
                .put("planCacheKey", key.keyHash())
                .put("optimizationTimeMillis", integer(planningMillis))
                .put("maxIndexedOrSolutionsReached", false)
                .put("maxIndexedAndSolutionsReached", false)
                .put("maxScansToExplodeReached", false)
                .put("prunedSimilarIndexes", false)
                .startDocument("winningPlan")
                .put("isCached", decision.isCached());
        root(out, decision.plan(), null, query.keysOnly());
        out.end().startArray("rejectedPlans");
        decision.ranking().stream().skip(1).forEach(each -> {
            out.startDocument().put("isCached", false);
            root(out, each.contender().plan(), null, query.keysOnly());
            out.end();
        });
        out.end().end();
    }

    /**
     * Adds {@code executionStats} of a run that has come to its end.
     *
     * @param returned how many documents the command would have answered with
     * @param all whether the client asked for {@code allPlansExecution}
     */
    public static void executionStats(
            BsonWriter out, Query query, Decision decision, Run run, long returned, long millis, boolean all) {
        Run whole = run instanceof KeptRun kept ? kept.run() : run;
        out.startDocument("executionStats")
                .put("executionSuccess", true)
                .put("nReturned", integer(returned))
                .put("executionTimeMillis", integer(millis))
                .put("totalKeysExamined", integer(run.keysExamined()))
                .put("totalDocsExamined", integer(run.documentsExamined()))
                .startDocument("executionStages")
                .put("isCached", false);
        root(out, decision.plan(), whole, query.keysOnly());
        out.end();
        if (all) {
            out.startArray("allPlansExecution");
            decision.ranking().forEach(each -> out.add(each.trial()));
            out.end();
        }
        out.end();
    }

    /** A plan's part in a trial, as {@code allPlansExecution} has it. */
    static RawDocument trial(Query query, Plan plan, Run run, long results, double score) {
        BsonWriter out = new BsonWriter()
                .put("nReturned", integer(results))
                .put("executionTimeMillisEstimate", 0)
                .put("totalKeysExamined", integer(run.keysExamined()))
                .put("totalDocsExamined", integer(run.documentsExamined()))
                .put("score", score)
                .startDocument("executionStages");
        root(out, plan, run, query.keysOnly());
        return out.end().finish();
    }

    /** What {@code $planCacheStats} shows of the trial in which an entry was made. */
    static RawDocument creation(Query query, List<Ranked> ranking) {
        BsonWriter out = new BsonWriter().startDocument("createdFromQuery").put("query", FilterText.of(query.filter()));
        sortPattern(out, "sort", query.sort());
        out.put("projection", query.projection()).end().startDocument("cachedPlan");
        root(out, ranking.getFirst().contender().plan(), null, query.keysOnly());
        out.end().startArray("creationExecStats");
        ranking.forEach(each -> out.add(each.trial()));
        out.end().startArray("candidatePlanScores");
        ranking.forEach(each -> out.add(Value.of(each.score())));
        return out.end().put("indexFilterSet", false).finish();
    }

    /** A filter as the parser has understood it. */
    public static RawDocument text(Filter filter) {
        return FilterText.of(filter);
    }

    private static Value integer(long value) {
        return value == (int) value ? Value.of((int) value) : Value.of(value);
    }

    private static void root(BsonWriter out, Plan plan, @Nullable Run run, boolean counts) {
        if (!counts) {
            stage(out, plan, run);
            return;
        }
        out.put("stage", "COUNT");
        if (run != null) {
            statistics(out, 0, run);
            out.put("nCounted", integer(run.advanced())).put("nSkipped", 0);
        }
        input(out, plan, run);
    }

    private static void stage(BsonWriter out, Plan plan, @Nullable Run run) {
        switch (plan) {
            case Plan.Nothing ignored -> named(out, "EOF", run);
            case Plan.CollectionScan scan -> {
                named(out, "COLLSCAN", run);
                filter(out, scan.filter());
                out.put("direction", scan.reverse() ? "backward" : "forward");
                if (run != null) {
                    out.put("docsExamined", integer(run.documentsExamined()));
                }
            }
            case Plan.ById byId -> byId(out, byId, run);
            case Plan.IndexScan scan -> indexScan(out, scan, (IndexRun) run);
            case Plan.Merge merge -> merge(out, merge, (MergeRun) run);
            case Plan.Intersection common -> intersection(out, common, (IntersectionRun) run);
            case Plan.Near near -> near(out, near, (NearRun) run);
            case Plan.Search search -> search(out, search, (SearchRun) run);
            case Plan.Union(Collection ignored, List<Plan> any, QueryMemory memory) -> {
                named(out, "SUBPLAN", run);
                out.startDocument("inputStage");
                named(out, "OR", run);
                out.startArray("inputStages");
                for (int i = 0; i < any.size(); i++) {
                    out.startDocument();
                    stage(
                            out,
                            any.get(i),
                            run instanceof UnionRun union ? union.inputs().get(i) : null);
                    out.end();
                }
                out.end().end();
            }
            case Plan.Sorted(
                    Plan input,
                    SortPattern by,
                    long limit,
                    boolean allowDiskUse,
                    var kept,
                    QueryMemory memory) -> {
                named(out, "SORT", run);
                sortPattern(out, "sortPattern", by);
                out.put("memLimit", memory.stageBytesMax().getAsLong());
                if (limit > 0) {
                    out.put("limitAmount", integer(limit));
                }
                out.put("type", "simple");
                if (run instanceof SortRun sort) {
                    long spills = sort.sorter().spills();
                    out.put("totalDataSizeSorted", integer(sort.sorter().addedBytes()))
                            .put("usedDisk", spills > 0)
                            .put("spills", integer(spills))
                            .put("spilledDataStorageSize", integer(sort.sorter().spilledBytes()));
                }
                input(out, input, run instanceof SortRun sort ? sort.input() : null);
            }
            case Plan.Skipped(Plan input, long count) -> {
                named(out, "SKIP", run);
                out.put("skipAmount", integer(count));
                input(out, input, run instanceof WindowRun window ? window.input() : null);
            }
            case Plan.Limited(Plan input, long count) -> {
                named(out, "LIMIT", run);
                out.put("limitAmount", integer(count));
                input(out, input, run instanceof WindowRun window ? window.input() : null);
            }
            case Plan.Projected(Plan input, RawDocument by) -> {
                named(out, projection(input, by), run);
                out.put("transformBy", by);
                input(out, input, run instanceof WindowRun window ? window.input() : null);
            }
        }
    }

    private static String projection(Plan input, RawDocument by) {
        if (!isSimple(by)) {
            return "PROJECTION_DEFAULT";
        }
        return Extents.source(input) instanceof Plan.IndexScan scan && scan.isCovered()
                ? "PROJECTION_COVERED"
                : "PROJECTION_SIMPLE";
    }

    private static void input(BsonWriter out, Plan plan, @Nullable Run run) {
        out.startDocument("inputStage");
        stage(out, plan, run);
        out.end();
    }

    /** Whole top-level fields, in or out. */
    private static boolean isSimple(RawDocument projection) {
        for (Element element : projection) {
            boolean plain = element.value().type().isNumber() || element.value() instanceof Value.Bool;
            if (!plain || element.name().indexOf('.') >= 0 || element.name().startsWith("$")) {
                return false;
            }
        }
        return true;
    }

    private static void filter(BsonWriter out, Filter filter) {
        if (!filter.equals(Filters.ALL)) {
            out.put("filter", FilterText.of(filter));
        }
    }

    // ---- indexes

    private static void byId(BsonWriter out, Plan.ById plan, @Nullable Run run) {
        Index index = plan.collection().indexes().getFirst();
        if (plan.filter().equals(Filters.ALL)) {
            named(out, "EXPRESS_IXSCAN", run);
            out.put("keyPattern", Shell.text(index.key().document())).put("indexName", index.name());
            if (run != null) {
                out.put("keysExamined", integer(run.keysExamined()))
                        .put("docsExamined", integer(run.documentsExamined()));
            }
            return;
        }
        named(out, "FETCH", run);
        filter(out, plan.filter());
        if (run != null) {
            out.put("docsExamined", integer(run.documentsExamined()));
        }
        out.startDocument("inputStage").put("stage", "IXSCAN");
        if (run != null) {
            statistics(out, run.keysExamined(), run);
        }
        describe(out, index, index.columns(), new long[1]);
        out.put("direction", "forward")
                .startDocument("indexBounds")
                .startArray("_id")
                .add(Interval.point(plan.collection().collation().key(plan.id()))
                        .text(true, plan.collection().collation()))
                .end()
                .end();
        if (run != null) {
            out.put("keysExamined", integer(run.keysExamined()));
        }
        out.end();
    }

    private static void indexScan(BsonWriter out, Plan.IndexScan scan, @Nullable IndexRun run) {
        if (scan.supply() instanceof Supply.Keys) {
            keys(out, "COUNT_SCAN", scan, run);
            return;
        }
        if (scan.index().spec().clustering() || scan.isCovered()) {
            // The index has all that is needed.
            keys(out, scan.distinct() > 0 ? "DISTINCT_SCAN" : "IXSCAN", scan, run);
            filter(out, scan.filter());
            return;
        }
        named(out, "FETCH", run);
        filter(out, scan.filter());
        if (run != null) {
            out.put("docsExamined", integer(run.documentsExamined()));
        }
        out.startDocument("inputStage");
        keys(out, scan.distinct() > 0 ? "DISTINCT_SCAN" : "IXSCAN", scan, run);
        out.end();
    }

    /** Where all scans ask the same of the documents, this is shown once, around the merge. */
    private static void merge(BsonWriter out, Plan.Merge merge, @Nullable MergeRun run) {
        Filter filter = merge.scans().getFirst().filter();
        boolean isOne = merge.scans().stream().allMatch(each -> each.filter().equals(filter));
        if (isOne) {
            named(out, "FETCH", run);
            filter(out, filter);
            if (run != null) {
                out.put("docsExamined", integer(run.documentsExamined()));
            }
            out.startDocument("inputStage");
        }
        named(out, "SORT_MERGE", run);
        sortPattern(out, "sortPattern", merge.by());
        out.startArray("inputStages");
        for (int i = 0; i < merge.scans().size(); i++) {
            Plan.IndexScan scan = merge.scans().get(i);
            MergeRun.Input input = run == null ? null : run.inputs().get(i);
            out.startDocument();
            if (!isOne) {
                out.put("stage", "FETCH");
                filter(out, scan.filter());
                if (input != null) {
                    out.put("docsExamined", integer(input.documentsExamined()));
                }
                out.startDocument("inputStage");
            }
            mergedScan(out, scan, run, input);
            if (!isOne) {
                out.end();
            }
            out.end();
        }
        out.end();
        if (isOne) {
            out.end();
        }
    }

    private static void intersection(BsonWriter out, Plan.Intersection common, @Nullable IntersectionRun run) {
        if (!common.keysOnly()) {
            named(out, "FETCH", run);
            filter(out, common.filter());
            if (run != null) {
                out.put("docsExamined", integer(run.documentsExamined()));
            }
            out.startDocument("inputStage");
        }
        named(out, "AND_SORTED", run);
        out.startArray("inputStages");
        for (int i = 0; i < common.scans().size(); i++) {
            Plan.IndexScan scan = common.scans().get(i);
            IntersectionRun.Input input = run == null ? null : run.inputs().get(i);
            out.startDocument().put("stage", "IXSCAN");
            if (run != null && input != null) {
                statistics(out, input.entries(), run);
            }
            describe(out, scan.index(), scan.bounds().columns(), scan.bounds().steps());
            out.put("direction", "forward");
            bounds(out, scan.bounds(), false);
            if (input != null) {
                out.put("keysExamined", integer(input.keysExamined()));
            }
            out.end();
        }
        out.end();
        if (!common.keysOnly()) {
            out.end();
        }
    }

    private static void mergedScan(
            BsonWriter out, Plan.IndexScan scan, @Nullable MergeRun run, MergeRun.@Nullable Input input) {
        out.put("stage", "IXSCAN");
        if (run != null && input != null) {
            statistics(out, input.entries(), run);
        }
        describe(out, scan.index(), scan.bounds().columns(), scan.bounds().steps());
        out.put("direction", scan.reverse() ? "backward" : "forward");
        bounds(out, scan.bounds(), scan.reverse());
        if (input != null) {
            out.put("keysExamined", integer(input.keysExamined()));
        }
    }

    /** Adds what a sort goes by. */
    public static void sortPattern(BsonWriter out, String name, SortPattern by) {
        out.startDocument(name);
        by.parts().forEach(each -> out.put(each.path().toString(), each.ascending() ? 1 : -1));
        out.end();
    }

    private static void near(BsonWriter out, Plan.Near near, @Nullable NearRun run) {
        named(out, near.stage(), run);
        filter(out, near.filter());
        if (run != null) {
            out.put("docsExamined", integer(run.documentsExamined()));
        }
        describe(out, near.index(), near.bounds().columns(), near.bounds().steps());
        bounds(out, near.bounds(), false);
        if (run != null) {
            out.put("keysExamined", integer(run.keysExamined()));
        }
    }

    /** As MongoDB divides it: entries, then documents, then what entries cannot tell. */
    private static void search(BsonWriter out, Plan.Search search, @Nullable SearchRun run) {
        Index index = search.index();
        TextQuery query = search.query();
        named(out, "TEXT_MATCH", run);
        out.startDocument("indexPrefix");
        for (int i = 0; i < search.before().size(); i++) {
            out.put(index.paths().get(i).toString(), search.before().get(i));
        }
        out.end().put("indexName", index.name()).startDocument("parsedTextQuery");
        strings(out, "terms", query.terms());
        strings(out, "negatedTerms", query.negatedTerms());
        strings(out, "phrases", query.phrases());
        strings(out, "negatedPhrases", query.negatedPhrases());
        out.end().put("textIndexVersion", query.spec().version());
        if (run != null) {
            out.put("docsRejected", integer(run.rejected()));
        }
        out.startDocument("inputStage");
        named(out, search.scored() ? "TEXT_OR" : "FETCH", run);
        filter(out, search.filter());
        if (run != null) {
            out.put("docsExamined", integer(run.documentsExamined()));
        }
        int terms = query.keyTerms().size();
        if (terms == 1) {
            out.startDocument("inputStage");
            term(out, index, run);
            out.end();
        } else if (search.scored()) {
            terms(out, index, terms);
        } else {
            out.startDocument("inputStage").put("stage", "OR");
            terms(out, index, terms);
            out.end();
        }
        out.end();
    }

    private static void strings(BsonWriter out, String name, Iterable<String> all) {
        out.startArray(name);
        all.forEach(each -> out.add(Value.of(each)));
        out.end();
    }

    private static void terms(BsonWriter out, Index index, int count) {
        out.startArray("inputStages");
        for (int i = 0; i < Math.min(count, TERMS_SHOWN_MAX); i++) {
            out.startDocument();
            term(out, index, null);
            out.end();
        }
        out.end();
    }

    private static void term(BsonWriter out, Index index, @Nullable SearchRun run) {
        named(out, "IXSCAN", run);
        describe(out, index, index.columns(), new long[0]);
        out.put("direction", "backward").startDocument("indexBounds").end();
        if (run != null) {
            out.put("keysExamined", integer(run.keysExamined()));
        }
    }

    private static void keys(BsonWriter out, String stage, Plan.IndexScan scan, @Nullable IndexRun run) {
        out.put("stage", stage);
        if (run != null) {
            statistics(out, scan.index().spec().clustering() ? run.advanced() : run.entries(), run);
        }
        Index index = scan.index();
        describe(out, index, scan.bounds().columns(), scan.bounds().steps());
        out.put("direction", scan.reverse() ? "backward" : "forward");
        bounds(out, scan.bounds(), scan.reverse());
        if (run != null) {
            out.put("keysExamined", integer(run.keysExamined()));
        }
    }

    private static void bounds(BsonWriter out, IndexBounds bounds, boolean reverse) {
        Index index = bounds.index();
        out.startDocument("indexBounds");
        for (int i = 0; i < bounds.fields().size(); i++) {
            boolean ascending = index.descending()[i] == reverse;
            bounds.fields()
                    .get(i)
                    .writeTo(out.startArray(bounds.columns().get(i).path().toString()), ascending, index.collation());
            out.end();
        }
        out.end();
    }

    private static void describe(BsonWriter out, Index index, List<KeyColumn> columns, long[] steps) {
        boolean multikey = false;
        for (long each : steps) {
            multikey |= each != 0;
        }
        out.put("keyPattern", keyPattern(index, columns)).put("indexName", index.name());
        if (!index.collation().isSimple()) {
            out.put("collation", index.collation().document());
        }
        if (index.kind() == IndexKind.TEXT) {
            flags(out.put("isMultiKey", true), index);
            return;
        }
        out.put("isMultiKey", multikey).startDocument("multiKeyPaths");
        for (int i = 0; i < steps.length; i++) {
            DottedPath path = columns.get(i).path();
            out.startArray(path.toString());
            for (int step = 0; step < path.size(); step++) {
                if ((steps[i] & 1L << step) != 0) {
                    out.add(new Value.Str(Text.of(path.prefix(step + 1).toString())));
                }
            }
            out.end();
        }
        flags(out.end(), index);
    }

    private static void flags(BsonWriter out, Index index) {
        out.put("isUnique", index.spec().unique())
                .put("isSparse", index.spec().sparse())
                .put("isPartial", index.partialFilter() != null)
                .put("indexVersion", 2);
        if (index.spec().clustering()) {
            out.put("isClustering", true);
        }
    }

    /** A wildcard index is shown as the one that it is for this query. */
    private static RawDocument keyPattern(Index index, List<KeyColumn> columns) {
        if (index.kind() != IndexKind.WILDCARD) {
            return index.key().document();
        }
        BsonWriter out = new BsonWriter();
        columns.forEach(each -> out.put(each.path().toString(), each.ascending() ? 1 : -1));
        return out.finish();
    }

    // ---- what has happened

    private static void named(BsonWriter out, String stage, @Nullable Run run) {
        out.put("stage", stage);
        if (run != null) {
            statistics(out, run.advanced(), run);
        }
    }

    private static void statistics(BsonWriter out, long returned, Run run) {
        long works = Math.max(run.works(), returned);
        out.put("nReturned", integer(returned))
                .put("executionTimeMillisEstimate", 0)
                .put("works", integer(works))
                .put("advanced", integer(returned))
                .put("needTime", integer(Math.max(0, works - returned - (run.atEnd() ? 1 : 0))))
                .put("needYield", 0)
                .put("saveState", 0)
                .put("restoreState", 0)
                .put("isEOF", run.atEnd() ? 1 : 0);
    }
}
