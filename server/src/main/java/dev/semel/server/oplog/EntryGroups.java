package dev.semel.server.oplog;

import dev.semel.server.catalog.WriteOrigin;
import dev.semel.store.LateEntry;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the entries of one transaction of its operations. */
final class EntryGroups {
    /** Of the operations in one entry; one operation may be larger. */
    private static final int OPERATION_BYTES_MAX = Limits.DOCUMENT_BYTES_MAX - (64 << 10);

    /** What an entry has beside its operations, roughly. */
    private static final int AROUND_BYTES = 256;

    /** The user of a server without access control: the digest of an empty name. */
    private static final Value NOBODY = new Value.Binary(
            (byte) 0, HexFormat.of().parseHex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));

    private final InstantSource clock;

    EntryGroups(InstantSource clock) {
        this.clock = clock;
    }

    /** An operation and the statement it belongs to. */
    private record Member(Operation operation, @Nullable WriteOrigin origin) {}

    List<Entry> of(List<LateEntry> all) {
        List<Member> members = new ArrayList<>();
        WriteOrigin statement = null;
        WriteOrigin transaction = null;
        for (LateEntry each : all) {
            if (each instanceof Operation operation) {
                operation.prepared();
                members.add(new Member(operation, statement));
            } else if (each instanceof WriteOrigin origin) {
                if (origin.isTransaction()) {
                    transaction = origin;
                } else {
                    statement = origin;
                }
            }
        }
        return entries(members, transaction);
    }

    /** Each change of the catalog is an entry by itself, and what lies between them one or a few. */
    private List<Entry> entries(List<Member> members, @Nullable WriteOrigin transaction) {
        long wall = clock.millis();
        List<Entry> entries = new ArrayList<>(1);
        int next = 0;
        while (next < members.size()) {
            int end = next;
            while (end < members.size() && !members.get(end).operation().isCommand()) {
                end++;
            }
            if (end - next > 1 || (end > next && transaction != null)) {
                together(members.subList(next, end), transaction, wall, entries);
            } else {
                end = next + 1;
                entries.add(alone(members.get(next), transaction, wall));
            }
            next = end;
        }
        return entries;
    }

    private static Entry alone(Member member, @Nullable WriteOrigin transaction, long wall) {
        BsonWriter fields = member.operation().fields();
        WriteOrigin statement = member.operation().isCommand() ? null : member.origin();
        WriteOrigin origin = transaction == null ? statement : transaction;
        Entry.Chain chain = Entry.Chain.NONE;
        if (origin != null) {
            putOrigin(fields, origin);
            if (!origin.isTransaction()) {
                fields.put("stmtId", origin.stmtId());
                chain = Entry.Chain.FIRST;
            }
        }
        byte[] image = member.operation().image();
        List<byte @Nullable []> images = image == null ? List.of() : List.<byte @Nullable []>of(image);
        return Entry.of(fields, chain, wall, images);
    }

    private static void putOrigin(BsonWriter out, WriteOrigin origin) {
        out.startDocument("lsid").copyAll(origin.lsid()).put("uid", NOBODY).end();
        out.put("txnNumber", origin.txnNumber());
    }

    // ---- several in one entry, or in a chain of entries

    private static void together(
            List<Member> members, @Nullable WriteOrigin transaction, long wall, List<Entry> entries) {
        WriteOrigin origin = transaction == null ? members.getFirst().origin() : transaction;
        int next = 0;
        while (next < members.size()) {
            int start = next;
            long bytes = 0;
            do {
                bytes += members.get(next).operation().fields().length();
                next++;
            } while (next < members.size()
                    && bytes + members.get(next).operation().fields().length() <= OPERATION_BYTES_MAX);
            boolean isLast = next == members.size();
            BsonWriter out = new BsonWriter((int) bytes + AROUND_BYTES + (next - start) * 32);
            if (origin != null) {
                putOrigin(out, origin);
            }
            out.put("op", "c").put("ns", "admin.$cmd").startDocument("o").startArray("applyOps");
            List<byte @Nullable []> images = put(members.subList(start, next), transaction == null, out);
            out.end();
            if (!isLast) {
                out.put("partialTxn", true);
            } else if (start > 0) {
                out.put("count", (long) members.size());
            }
            out.end();
            boolean isChained = origin != null || !isLast || start > 0;
            Entry.Chain chain = start > 0 ? Entry.Chain.NEXT : isChained ? Entry.Chain.FIRST : Entry.Chain.NONE;
            entries.add(Entry.of(out, chain, wall, images));
        }
    }

    /** The operations as elements of an array; what they have replaced, if anything is kept of it. */
    private static List<byte @Nullable []> put(List<Member> members, boolean withStatements, BsonWriter out) {
        List<byte @Nullable []> images = new ArrayList<>();
        boolean keepsAny = false;
        for (Member each : members) {
            BsonWriter fields = each.operation().fields();
            WriteOrigin statement = each.origin();
            if (withStatements && statement != null) {
                fields.put("stmtId", statement.stmtId());
            }
            RawDocument operation = fields.finish();
            out.add(operation);
            byte[] image = each.operation().image();
            images.add(image);
            keepsAny |= image != null;
        }
        return keepsAny ? images : List.of();
    }
}
