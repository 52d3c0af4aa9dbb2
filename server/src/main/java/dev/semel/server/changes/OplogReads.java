package dev.semel.server.changes;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Documents;
import dev.semel.server.cursor.Piped;
import dev.semel.server.cursor.Tail;
import dev.semel.server.follow.Interest;
import dev.semel.server.oplog.OplogHistory;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The log as the collection {@code local.oplog.rs}, which clients cannot write to. */
public final class OplogReads {
    public static final Namespace NAMESPACE = new Namespace("local", "oplog.rs");

    private final @Nullable OplogHistory oplog;

    public OplogReads(@Nullable OplogHistory oplog) {
        this.oplog = oplog;
    }

    /** Whether it is there to be read; it is not on a server that stands alone. */
    public boolean has(Namespace collection) {
        return oplog != null && collection.equals(NAMESPACE);
    }

    /** What {@code find} asks for; zero or empty for what it does not. */
    public record Search(RawDocument filter, RawDocument sort, long skip, long limit, RawDocument projection) {}

    public Documents find(Search search, FilterScope scope, CurrentCall current, Call call) {
        Value natural = search.sort().get("$natural");
        List<RawDocument> stages = new ArrayList<>();
        stages.add(stage("$match", search.filter()));
        if (!search.sort().isEmpty() && natural == null) {
            stages.add(stage("$sort", search.sort()));
        }
        if (search.skip() > 0) {
            stages.add(new BsonWriter().put("$skip", search.skip()).finish());
        }
        if (search.limit() > 0) {
            stages.add(new BsonWriter().put("$limit", search.limit()).finish());
        }
        if (!search.projection().isEmpty()) {
            stages.add(stage("$project", search.projection()));
        }
        return read(stages, isNegative(natural), scope, current, true, call);
    }

    /** What a pipeline makes of it. */
    public Documents aggregate(
            List<RawDocument> stages, FilterScope scope, CurrentCall current, boolean allowDiskUse, Call call) {
        return read(stages, false, scope, current, allowDiskUse, call);
    }

    /** Entries as they come. */
    public Tail tail(Search search, boolean waits, FilterScope scope, CurrentCall current, Call call) {
        if (!search.sort().isEmpty()
                && (search.sort().get("$natural") == null
                        || isNegative(search.sort().get("$natural")))) {
            throw new CommandException(
                    ErrorCode.BadValue, "error processing query: tailable cursors take no sort but {$natural: 1}");
        }
        refuseTransaction(call);
        List<RawDocument> stages = new ArrayList<>();
        stages.add(stage("$match", search.filter()));
        if (!search.projection().isEmpty()) {
            stages.add(stage("$project", search.projection()));
        }
        OplogHistory log = log();
        long after = TimeBounds.of(search.filter()).after();
        long oldest = log.removedThrough();
        var pipeline = Pipelines.parse(stages, scope);
        return new OplogTail(
                log.reader(Long.compareUnsigned(after, oldest) < 0 ? oldest : after, Interest.EVERYTHING),
                pipeline,
                waits,
                current);
    }

    private Documents read(
            List<RawDocument> stages,
            boolean reverse,
            FilterScope scope,
            CurrentCall current,
            boolean allowDiskUse,
            Call call) {
        refuseTransaction(call);
        var pipeline = Pipelines.parse(stages, scope);
        Element first = stages.isEmpty() ? null : stages.getFirst().first();
        TimeBounds bounds =
                first != null && first.name().equals("$match") && first.value() instanceof Value.Doc(RawDocument filter)
                        ? TimeBounds.of(filter)
                        : TimeBounds.of(RawDocument.EMPTY);
        OplogHistory log = log();
        return new Piped(
                new OplogDocuments(log.scan(bounds.after(), bounds.upTo(), reverse), current), pipeline, allowDiskUse);
    }

    // ---- what it says of itself

    /** How many entries there are, roughly. */
    public long count() {
        return log().entries();
    }

    /** The figures that {@code collStats} shows; sizes are divided by the scale. */
    public void describe(BsonWriter out, long scale) {
        OplogHistory log = log();
        long bytes = log.bytes();
        out.put("size", bytes / scale)
                .put("count", log.entries())
                .put("storageSize", bytes / scale)
                .put("freeStorageSize", 0)
                .put("capped", true)
                .put("max", -1)
                .put("maxSize", log.bytesMax() / scale)
                .put("nindexes", 0)
                .startArray("indexBuilds")
                .end()
                .put("totalIndexSize", 0)
                .put("totalSize", bytes / scale)
                .startDocument("indexSizes")
                .end()
                .put("scaleFactor", scale);
    }

    /** As {@code listCollections} has it. */
    public RawDocument listed(boolean nameOnly) {
        BsonWriter out = new BsonWriter().put("name", NAMESPACE.collection()).put("type", "collection");
        if (!nameOnly) {
            out.startDocument("options")
                    .put("capped", true)
                    .put("size", log().bytesMax())
                    .put("autoIndexId", false)
                    .end()
                    .startDocument("info")
                    .put("readOnly", false)
                    .end();
        }
        return out.finish();
    }

    private static void refuseTransaction(Call call) {
        if (call.transaction() != null) {
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction,
                    "Cannot run command against the '%s' database in a transaction.",
                    NAMESPACE.database());
        }
    }

    private OplogHistory log() {
        OplogHistory log = oplog;
        if (log == null) {
            throw new IllegalStateException("asked for a log that is not there");
        }
        return log;
    }

    private static RawDocument stage(String name, RawDocument specification) {
        return new BsonWriter(specification.length() + 32)
                .put(name, specification)
                .finish();
    }

    private static boolean isNegative(@Nullable Value natural) {
        return switch (natural) {
            case null -> false;
            case Value.Int32(int direction) -> direction < 0;
            case Value.Int64(long direction) -> direction < 0;
            case Value.Double64(double direction) -> direction < 0;
            default -> false;
        };
    }
}
