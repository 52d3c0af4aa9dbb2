package dev.semel.server.oplog;

import dev.semel.server.catalog.WriteOrigin;
import dev.semel.store.RecordPart;
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
    private static final int AROUND_BYTES = 512;

    /** The user of a server without access control: the digest of an empty name. */
    private static final Value NOBODY = new Value.Binary(
            (byte) 0, HexFormat.of().parseHex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));

    private final InstantSource clock;

    EntryGroups(InstantSource clock) {
        this.clock = clock;
    }

    /** What an operation takes as an element of an array, beside its fields. */
    static final int ELEMENT_BYTES = 16;

    /** A run of operations and the statement they belong to. */
    private record Member(Operation run, @Nullable WriteOrigin origin) {}

    List<Entry> of(List<RecordPart> all) {
        List<Member> members = new ArrayList<>();
        WriteOrigin statement = null;
        WriteOrigin transaction = null;
        for (RecordPart each : all) {
            if (each instanceof Operation operation) {
                operation.inEntry();
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
            long operations = 0;
            while (end < members.size() && !members.get(end).run().isCommand()) {
                operations += members.get(end).run().size();
                end++;
            }
            if (operations > 1 || (operations > 0 && transaction != null)) {
                together(members.subList(next, end), operations, transaction, wall, entries);
            } else {
                end = next + 1;
                entries.add(alone(members.get(next), transaction, wall));
            }
            next = end;
        }
        return entries;
    }

    private static Entry alone(Member member, @Nullable WriteOrigin transaction, long wall) {
        BsonWriter fields = member.run().fields();
        WriteOrigin statement = member.run().isCommand() ? null : member.origin();
        WriteOrigin origin = transaction == null ? statement : transaction;
        Entry.Chain chain = Entry.Chain.NONE;
        if (origin != null) {
            putOrigin(fields, origin);
            if (!origin.isTransaction()) {
                fields.put("stmtId", origin.stmtId());
                chain = Entry.Chain.FIRST;
            }
        }
        byte[] image = member.run().image(0);
        List<byte @Nullable []> images = image == null ? List.of() : List.<byte @Nullable []>of(image);
        return Entry.of(fields, chain, wall, images);
    }

    private static void putOrigin(BsonWriter out, WriteOrigin origin) {
        out.startDocument("lsid").copyAll(origin.lsid()).put("uid", NOBODY).end();
        out.put("txnNumber", origin.txnNumber());
    }

    // ---- several in one entry, or in a chain of entries

    private static void together(
            List<Member> members, long operations, @Nullable WriteOrigin transaction, long wall, List<Entry> entries) {
        WriteOrigin origin = transaction == null ? members.getFirst().origin() : transaction;
        Operations left = new Operations(members, transaction == null);
        while (left.hasNext()) {
            boolean isFirst = !left.hasBegun();
            int bytes = left.bytesAhead();
            BsonWriter out = new BsonWriter(bytes + AROUND_BYTES);
            if (origin != null) {
                putOrigin(out, origin);
            }
            out.put("op", "c").put("ns", "admin.$cmd").startDocument("o").startArray("applyOps");
            List<byte @Nullable []> images = left.put(out);
            out.end();
            boolean isLast = !left.hasNext();
            if (!isLast) {
                out.put("partialTxn", true);
            } else if (!isFirst) {
                out.put("count", operations);
            }
            out.end();
            boolean isChained = origin != null || !isLast || !isFirst;
            Entry.Chain chain = !isFirst ? Entry.Chain.NEXT : isChained ? Entry.Chain.FIRST : Entry.Chain.NONE;
            entries.add(Entry.of(out, chain, wall, images));
        }
    }

    /** The operations of several runs, one after the other, as many at a time as fit one entry. */
    private static final class Operations {
        private final List<Member> members;
        private final boolean withStatements;
        private int member;
        private int change;

        /** Of the run that is being read: what its changes share is read from its first one. */
        private RawDocument first = RawDocument.EMPTY;

        Operations(List<Member> members, boolean withStatements) {
            this.members = members;
            this.withStatements = withStatements;
        }

        boolean hasNext() {
            return member < members.size();
        }

        boolean hasBegun() {
            return member > 0 || change > 0;
        }

        private int length(int ofMember, int ofChange) {
            return members.get(ofMember).run().length(ofChange) + ELEMENT_BYTES;
        }

        /** Of those that {@link #put} will add. */
        int bytesAhead() {
            int bytes = 0;
            int at = member;
            int in = change;
            while (at < members.size()) {
                int more = length(at, in);
                if (bytes > 0 && bytes + more > OPERATION_BYTES_MAX) {
                    break;
                }
                bytes += more;
                in++;
                if (in == members.get(at).run().size()) {
                    at++;
                    in = 0;
                }
            }
            return bytes;
        }

        /** Adds as many as fit, as elements of an array; returns what they have replaced, if anything is kept of it. */
        List<byte @Nullable []> put(BsonWriter out) {
            List<byte @Nullable []> images = new ArrayList<>();
            boolean keepsAny = false;
            int bytes = 0;
            while (hasNext()) {
                int more = length(member, change);
                if (bytes > 0 && bytes + more > OPERATION_BYTES_MAX) {
                    break;
                }
                bytes += more;
                Member now = members.get(member);
                putOne(now, out);
                byte[] image = now.run().image(change);
                keepsAny |= image != null;
                images.add(image);
                change++;
                if (change == now.run().size()) {
                    member++;
                    change = 0;
                }
            }
            return keepsAny ? images : List.of();
        }

        private void putOne(Member now, BsonWriter out) {
            if (change == 0) {
                first = now.run().fields().finish();
            }
            out.startDocument();
            if (change == 0) {
                out.copyAll(first);
            } else {
                out.copyElements(
                        first.array(),
                        first.offset() + 4,
                        first.offset() + now.run().headBytes());
                now.run().copyBody(change, out);
            }
            WriteOrigin statement = now.origin();
            if (withStatements && statement != null) {
                out.put("stmtId", statement.stmtId());
            }
            out.end();
        }
    }
}
