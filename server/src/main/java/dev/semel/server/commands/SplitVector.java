package dev.semel.server.commands;

import dev.semel.query.filter.Filters;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyPattern;
import dev.semel.server.catalog.Sizes;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.server.statement.Planned;
import dev.semel.server.statement.Reads;
import dev.semel.store.Snapshot;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code splitVector}: keys that divide a collection into parts of about half the size asked for, by which several
 * readers share the work. Documents with the same key stay together.
 */
final class SplitVector implements Command<SplitVector.Args> {
    private static final long MEGABYTE = 1 << 20;

    /** Parts may grow until they have the size asked for. */
    private static final int PARTS_PER_SIZE = 2;

    /** Of a reply. */
    private static final long KEY_BYTES_MAX = 4 * MEGABYTE;

    private final Reads reads;

    SplitVector(Reads reads) {
        this.reads = reads;
    }

    /**
     * The parts that are asked for.
     *
     * @param force one division in the middle, whatever the sizes
     * @param bytes of a part
     * @param documents of a part at most; 0 for no limit
     * @param pointsMax 0 for no limit
     */
    record Args(
            Namespace collection,
            KeyPattern key,
            RawDocument min,
            RawDocument max,
            boolean force,
            long bytes,
            long documents,
            long pointsMax) {}

    @Override
    public Spec spec() {
        return Spec.of("splitVector").needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        Namespace collection = Namespace.parse(in.requiredString(in.path()));
        RawDocument key = in.documentOrEmpty("keyPattern");
        if (key.isEmpty()) {
            throw bad("no key pattern found in splitVector");
        }
        RawDocument min = in.documentOrEmpty("min");
        RawDocument max = in.documentOrEmpty("max");
        if (min.isEmpty() != max.isEmpty()) {
            throw bad("either provide both min and max or leave both empty");
        }
        boolean force = in.bool("force", false);
        long megabytes = in.nonNegative("maxChunkSize", 0);
        long bytes = in.nonNegative("maxChunkSizeBytes", Math.min(megabytes, Long.MAX_VALUE / MEGABYTE) * MEGABYTE);
        if (bytes == 0 && !force) {
            throw bad("need to specify the desired max chunk size (maxChunkSize or maxChunkSizeBytes)");
        }
        return new Args(
                collection,
                KeyPattern.of(key),
                min,
                max,
                force,
                bytes,
                in.nonNegative("maxChunkObjects", 0),
                in.nonNegative("maxSplitPoints", 0));
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        return List.of(Privilege.onCollection(args.collection(), Action.find));
    }

    private static CommandException bad(String text) {
        return new CommandException(ErrorCode.BadValue, "%s", text);
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        BsonWriter reply = new BsonWriter().startArray("splitKeys");
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = reads.find(args.collection(), snapshot, call);
            if (collection == null) {
                throw new CommandException(ErrorCode.NamespaceNotFound, "ns not found: %s", args.collection());
            }
            Index index = index(collection.requireDocuments(), args.key());
            Planned planned = reads.plan(args.collection(), query(args, index), snapshot, call);
            long every = documentsPerPart(args, planned, collection, call);
            if (every > 0) {
                divide(args, planned, every, reply, call);
            }
        }
        return Reply.of(reply.end());
    }

    /** The index of that key, otherwise one whose key begins so. */
    private static Index index(Collection collection, KeyPattern key) {
        Index found = null;
        for (Index each : collection.indexes()) {
            List<KeyPattern.Field> fields = each.key().fields();
            int size = key.fields().size();
            boolean isUsable = fields.size() >= size
                    && fields.subList(0, size).equals(key.fields())
                    && each.key().kind() == IndexKind.ORDERED
                    && each.collation().isSimple()
                    && !each.isMultikey()
                    && each.spec().partialFilter() == null
                    && !each.spec().sparse()
                    && !each.spec().hidden();
            if (isUsable
                    && (found == null || fields.size() < found.key().fields().size())) {
                found = each;
            }
        }
        if (found == null) {
            throw new CommandException(
                    ErrorCode.IndexNotFound,
                    "couldn't find index over splitting key %s",
                    Shell.text(Value.of(key.document())));
        }
        return found;
    }

    private static Query query(Args args, Index index) {
        Set<String> fields = args.key().fields().stream()
                .map(field -> DottedPath.of(field.path()).first())
                .collect(Collectors.toSet());
        return Query.of(Filters.ALL)
                .sortedBy(args.key().document(), Collation.SIMPLE)
                .hinted(Value.of(index.name()))
                .between(bound(args.min(), args.key(), index), bound(args.max(), args.key(), index))
                .needing(fields);
    }

    /** With the lowest of what follows in the keys of the index, which may have more fields. */
    private static RawDocument bound(RawDocument given, KeyPattern key, Index index) {
        int size = key.fields().size();
        if (given.size() != size) {
            return given;
        }
        BsonWriter bound = new BsonWriter().copyAll(given);
        List<KeyPattern.Field> fields = index.key().fields();
        for (KeyPattern.Field field : fields.subList(size, fields.size())) {
            bound.put(field.path(), field.ascending() ? Value.MIN_KEY : Value.MAX_KEY);
        }
        return bound.finish();
    }

    /** 0 for one part. */
    private static long documentsPerPart(Args args, Planned planned, Collection collection, Call call) {
        if (args.force()) {
            return count(planned, call) / 2;
        }
        Sizes.Total total = Reads.size(collection, planned.snapshot(), call);
        if (total.documents() == 0 || total.bytes() < args.bytes()) {
            return 0;
        }
        long documentBytes = Math.max(1, total.bytes() / total.documents());
        long fitting = Math.max(1, args.bytes() / (PARTS_PER_SIZE * documentBytes));
        return args.documents() == 0 ? fitting : Math.min(fitting, args.documents());
    }

    private static long count(Planned planned, Call call) {
        long count = 0;
        try (Run run = planned.open(call.interruption())) {
            while (run.next()) {
                count++;
            }
        }
        return count;
    }

    private static void divide(Args args, Planned planned, long every, BsonWriter keys, Call call) {
        List<DottedPath> paths = args.key().fields().stream()
                .map(field -> DottedPath.of(field.path()))
                .toList();
        long pointsMax = args.force() ? 1 : args.pointsMax() == 0 ? Long.MAX_VALUE : args.pointsMax();
        int start = keys.length();
        long points = 0;
        long inPart = 0;
        RawDocument partFrom = null;
        try (Run run = planned.open(call.interruption())) {
            while (points < pointsMax && keys.length() - start < KEY_BYTES_MAX && run.next()) {
                boolean isFull = inPart >= every;
                inPart++;
                if (!isFull && partFrom != null) {
                    continue;
                }
                RawDocument key = key(paths, run.document());
                if (partFrom != null && !Collation.SIMPLE.equal(Value.of(key), Value.of(partFrom))) {
                    keys.add(key);
                    points++;
                    inPart = 1;
                }
                if (partFrom == null || inPart == 1) {
                    partFrom = key;
                }
            }
        }
    }

    private static RawDocument key(List<DottedPath> paths, RawDocument document) {
        BsonWriter key = new BsonWriter();
        for (DottedPath path : paths) {
            Value value = path.literal(document);
            key.put(path.toString(), value == null ? Value.NULL : value);
        }
        return key.finish();
    }
}
