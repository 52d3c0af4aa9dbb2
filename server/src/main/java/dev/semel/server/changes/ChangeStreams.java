package dev.semel.server.changes;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.ReadConcern;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Documents;
import dev.semel.server.oplog.OplogHistory;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.spill.SpillSpace;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens change streams. */
public final class ChangeStreams {
    private static final String NAME = "$changeStream";
    private static final String SPLIT = "$changeStreamSplitLargeEvent";

    /** What may come behind: stages that make one document of one, or none. */
    private static final Set<String> ALLOWED =
            Set.of("$addFields", "$match", "$project", "$redact", "$replaceRoot", "$replaceWith", "$set", "$unset");

    private final Transactions transactions;
    private final Images images;
    private final @Nullable OplogHistory oplog;
    private final SpillSpace files;

    /** Without a log every stream is refused. */
    public ChangeStreams(Transactions transactions, Catalog catalog, @Nullable OplogHistory oplog, SpillSpace files) {
        this.transactions = transactions;
        this.images = new Images(transactions, catalog);
        this.oplog = oplog;
        this.files = files;
    }

    /** Whether a pipeline is a change stream's. */
    public static boolean isFirst(List<RawDocument> stages) {
        Element first = stages.isEmpty() ? null : stages.getFirst().first();
        return first != null && first.name().equals(NAME);
    }

    /**
     * The events of a stream.
     *
     * @param collection whose changes are wanted; what it is called does not count for a whole database
     * @param scope in which its further stages are read
     */
    public Documents open(
            Namespace collection,
            boolean onDatabase,
            List<RawDocument> stages,
            FilterScope scope,
            CurrentCall current,
            Call call) {
        Element first = stages.getFirst().first();
        if (first == null || !(first.value() instanceof Value.Doc(RawDocument given))) {
            throw new CommandException(ErrorCode.location(50808), "$changeStream stage expects a document as argument");
        }
        if (call.transaction() != null) {
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction,
                    "Operation not permitted in transaction :: caused by :: Aggregation stage $changeStream cannot"
                            + " run within a multi-document transaction.");
        }
        OplogHistory log = oplog;
        if (log == null) {
            throw new CommandException(
                    ErrorCode.location(40573), "The $changeStream stage is only supported on replica sets");
        }
        checkConcern(call);
        StreamOptions options = StreamOptions.parse(Arguments.ofStage(NAME, call.database(), given));
        StreamScope watched = scope(collection, onDatabase, options);
        boolean splits = isLast(SPLIT, stages);
        List<RawDocument> further = stages.subList(1, stages.size() - (splits ? 1 : 0));
        further.forEach(ChangeStreams::checkAllowed);
        ResumeToken start = options.after();
        if (start == null) {
            start = ResumeToken.behind(now(call));
        }
        long after;
        if (start.isEvent()) {
            after = start.time() == 0 ? 0 : start.time() - 1;
            log.require(after);
        } else {
            after = log.startBehind(start.time());
        }
        Pipeline pipeline = Pipelines.parse(further, scope);
        return new ChangeStream(
                new Operations(log.reader(after, watched.interest())),
                new ChangeEvents(watched, options, images, current),
                start,
                pipeline,
                splits ? files : null,
                current);
    }

    /** What has been committed by now is not shown, even if it has been seen: so it must not come a second time either. */
    private long now(Call call) {
        long now = transactions.visibleTime();
        transactions.awaitDurable(now, call.interruption());
        return now;
    }

    /** The default, local, is as good as majority here; a client that asks for it explicitly gets an error, as in MongoDB. */
    private static void checkConcern(Call call) {
        ReadConcern concern = call.readConcern();
        boolean saysLocal = call.command().get("readConcern") instanceof Value.Doc(RawDocument given)
                && given.has("level")
                && concern.level() == ReadConcern.Level.LOCAL;
        boolean allowed = concern.level() == ReadConcern.Level.MAJORITY
                || (concern.level() == ReadConcern.Level.LOCAL && !saysLocal);
        if (!allowed) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "$changeStream cannot run with a readConcern other than 'majority'. Current readConcern: %s",
                    concern.level());
        }
    }

    private static boolean isLast(String name, List<RawDocument> stages) {
        Element last = stages.getLast().first();
        if (last == null || !last.name().equals(name)) {
            return false;
        }
        if (!(last.value() instanceof Value.Doc(RawDocument options) && options.isEmpty())) {
            throw new CommandException(ErrorCode.location(7182800), "%s spec should be an empty object", name);
        }
        return true;
    }

    private static void checkAllowed(RawDocument stage) {
        Element name = stage.first();
        if (name == null || ALLOWED.contains(name.name())) {
            return;
        }
        if (name.name().equals(SPLIT)) {
            throw new CommandException(ErrorCode.location(7182802), "%s must be the last stage in the pipeline", SPLIT);
        }
        Pipelines.checkNames(List.of(stage));
        throw new CommandException(
                ErrorCode.IllegalOperation, "%s is not permitted in a $changeStream pipeline", name.name());
    }

    private static StreamScope scope(Namespace collection, boolean onDatabase, StreamOptions options) {
        if (options.allChangesForCluster()) {
            if (!onDatabase || !collection.database().equals("admin")) {
                throw new CommandException(
                        ErrorCode.InvalidOptions,
                        "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin'"
                                + " database, and with no collection name; found %s",
                        collection);
            }
            return new StreamScope.Everything();
        }
        if (StreamScope.INTERNAL.contains(collection.database())) {
            throw new CommandException(
                    ErrorCode.InvalidNamespace,
                    "$changeStream may not be opened on the internal %s database",
                    collection.database());
        }
        if (onDatabase) {
            return new StreamScope.OneDatabase(collection.database());
        }
        if (collection.collection().startsWith("system.")) {
            throw new CommandException(
                    ErrorCode.InvalidNamespace,
                    "$changeStream may not be opened on the internal %s collection",
                    collection);
        }
        return new StreamScope.OneCollection(collection);
    }
}
