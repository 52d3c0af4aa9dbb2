package dev.semel.server.commands;

import dev.semel.query.pipeline.AddFields;
import dev.semel.query.pipeline.Group;
import dev.semel.query.pipeline.Limit;
import dev.semel.query.pipeline.Lookup;
import dev.semel.query.pipeline.Match;
import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.ReadStatistics;
import dev.semel.query.pipeline.SentStages;
import dev.semel.query.pipeline.SetWindowFields;
import dev.semel.query.pipeline.Skip;
import dev.semel.query.pipeline.Sort;
import dev.semel.query.pipeline.Stage;
import dev.semel.query.pipeline.StageWork;
import dev.semel.server.plan.Explain;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The stages of a pipeline behind its plan as {@code explain} shows them: as they run, after the optimizer. What it has made
 * is written out; what it has left as it was is shown as it was sent.
 *
 * @param works what the source of the documents and then each stage has done; empty if they were not run
 */
record ExplainedStages(Pipeline rest, SentStages sent, List<StageWork> works) {

    /** Adds what follows the plan: to its own document, which is open, what it has found, and then the stages. */
    void addTo(BsonWriter out) {
        if (!works.isEmpty()) {
            figures(out, works.getFirst());
        }
        out.end();
        List<Stage> stages = rest.stages();
        for (int i = 0; i < stages.size(); i++) {
            out.startDocument();
            describe(out, stages.get(i));
            if (!works.isEmpty()) {
                found(out, stages.get(i), works.get(i), works.get(i + 1));
                figures(out, works.get(i + 1));
            }
            out.end();
        }
    }

    private void describe(BsonWriter out, Stage stage) {
        switch (stage) {
            case Match(var filter) -> out.put("$match", Explain.text(filter));
            case Skip(long count) -> out.put("$skip", count);
            case Limit(long count) -> out.put("$limit", count);
            case Sort(var order, long limit) -> {
                out.startDocument("$sort");
                Explain.sortPattern(out, "sortKey", order.pattern());
                if (limit != Sort.UNLIMITED) {
                    out.put("limit", limit);
                }
                out.end();
            }
            default -> {
                RawDocument from = sent.of(stage);
                Element element = from == null ? null : from.first();
                if (element == null) {
                    // Made for a neighbour, such as the value that a window's partitions are sorted by.
                    out.startDocument(stage instanceof AddFields ? "$addFields" : "$project")
                            .end();
                } else if (stage instanceof SetWindowFields && element.name().equals("$setWindowFields")) {
                    out.put("$_internalSetWindowFields", element.value());
                } else if (stage instanceof Lookup lookup
                        && lookup.unwound() != null
                        && element.value() instanceof Value.Doc(RawDocument specification)) {
                    out.startDocument(element.name())
                            .copyAll(specification)
                            .startDocument("unwinding")
                            .put("preserveNullAndEmptyArrays", lookup.unwound().preserve())
                            .end()
                            .end();
                } else {
                    out.put(element.name(), element.value());
                }
            }
        }
    }

    private static void found(BsonWriter out, Stage stage, StageWork before, StageWork work) {
        switch (stage) {
            case Group ignored ->
                spills(
                                byField(out, "maxAccumulatorMemoryUsageBytes", work)
                                        .put("totalOutputDataSizeBytes", work.returnedBytes()),
                                work)
                        .put("numBytesSpilledEstimate", work.spilledBytes())
                        .put("spilledRecords", work.spilledRecords());
            case Sort ignored -> spills(out.put("totalDataSizeSortedBytesEstimate", before.returnedBytes()), work);
            case SetWindowFields ignored ->
                byField(out, "maxFunctionMemoryUsageBytes", work)
                        .put("maxTotalMemoryUsageBytes", work.heldBytesMax())
                        .put("usedDisk", work.usedDisk());
            case Lookup ignored -> statistics(out, work.statistics());
            default -> {}
        }
    }

    private static void statistics(BsonWriter out, ReadStatistics statistics) {
        out.put("totalDocsExamined", statistics.documents())
                .put("totalKeysExamined", statistics.keys())
                .put("collectionScans", statistics.collectionScans())
                .startArray("indexesUsed");
        statistics.indexes().forEach(out::add);
        out.end();
    }

    private static BsonWriter byField(BsonWriter out, String name, StageWork work) {
        out.startDocument(name);
        work.heldBytesMaxByField().forEach(out::put);
        return out.end();
    }

    private static BsonWriter spills(BsonWriter out, StageWork work) {
        return out.put("usedDisk", work.usedDisk())
                .put("spills", work.spills())
                .put("spilledDataStorageSize", work.spilledDiskBytes());
    }

    private static void figures(BsonWriter out, StageWork work) {
        out.put("nReturned", work.returned())
                .put("executionTimeMillisEstimate", TimeUnit.NANOSECONDS.toMillis(work.nanos()));
    }
}
