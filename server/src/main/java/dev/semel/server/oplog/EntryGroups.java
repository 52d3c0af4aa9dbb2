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
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the entries of one transaction of its operations. */
final class EntryGroups {
    /** Of the operations in one entry; one operation may be larger. */
    private static final int OPERATION_BYTES_MAX = Limits.DOCUMENT_BYTES_MAX - (64 << 10);

    /** The same of a transaction that the heap does not hold: who makes or reads one has to hold it. */
    private static final int SPILLED_OPERATION_BYTES_MAX = 1 << 20;

    /** What an entry has before its operations, roughly. */
    private static final int AROUND_BYTES = 512;

    /** The ends of an array of operations and of the document that it is in. */
    private static final int ENDS_BYTES = 2;

    /** The field {@code stmtId}. */
    private static final int STATEMENT_BYTES = 12;

    /** Which statement an entry belongs to, roughly. */
    private static final int ORIGIN_BYTES = 192;

    /** The user of a server without access control: the digest of an empty name. */
    private static final Value NOBODY = new Value.Binary(
            (byte) 0, HexFormat.of().parseHex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));

    private final InstantSource clock;

    EntryGroups(InstantSource clock) {
        this.clock = clock;
    }

    /** What an operation takes as an element of an array, beside its fields. */
    static final int ELEMENT_BYTES = 16;

    /** A run of operations and the statement that the first of them belongs to. */
    private record Member(Operation run, @Nullable WriteOrigin origin) {}

    /** Hands out the entries one by one: together they may be more than the heap holds. */
    void of(List<RecordPart> all, Consumer<Entry> entries) {
        List<Member> members = new ArrayList<>();
        WriteOrigin statement = null;
        WriteOrigin transaction = null;
        for (RecordPart each : all) {
            if (each instanceof Operation operation) {
                operation.inEntry();
                members.add(new Member(operation, statement));
                statement = operation.origin() == null ? statement : operation.origin();
            } else if (each instanceof WriteOrigin origin) {
                if (origin.isTransaction()) {
                    transaction = origin;
                } else {
                    statement = origin;
                }
            }
        }
        write(members, transaction, entries);
    }

    /** Each change of the catalog is an entry by itself, and what lies between them one or a few. */
    private void write(List<Member> members, @Nullable WriteOrigin transaction, Consumer<Entry> entries) {
        long wall = clock.millis();
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
                entries.accept(alone(members.get(next), transaction, wall));
            }
            next = end;
        }
    }

    private static Entry alone(Member member, @Nullable WriteOrigin transaction, long wall) {
        WriteOrigin statement = member.run().isCommand() ? null : member.origin();
        WriteOrigin origin = transaction == null ? statement : transaction;
        Entry.Chain chain = Entry.Chain.NONE;
        BsonWriter more = new BsonWriter(ORIGIN_BYTES);
        if (origin != null) {
            putOrigin(more, origin);
            if (!origin.isTransaction()) {
                more.put("stmtId", origin.stmtId());
                chain = Entry.Chain.FIRST;
            }
        }
        RawDocument about = more.finish();
        BsonWriter fields = member.run().first(about.length() - RawDocument.EMPTY.length() + Entry.lastBytes(chain));
        fields.copyAll(about);
        byte[] image = member.run().image();
        List<byte @Nullable []> images = image == null ? List.of() : List.<byte @Nullable []>of(image);
        return Entry.of(fields, chain, wall, images);
    }

    private static void putOrigin(BsonWriter out, WriteOrigin origin) {
        out.startDocument("lsid").copyAll(origin.lsid()).put("uid", NOBODY).end();
        out.put("txnNumber", origin.txnNumber());
    }

    // ---- several in one entry, or in a chain of entries

    private static void together(
            List<Member> members,
            long operations,
            @Nullable WriteOrigin transaction,
            long wall,
            Consumer<Entry> entries) {
        try (Operations left = new Operations(members, transaction == null)) {
            together(left, members.getFirst().origin(), operations, transaction, wall, entries);
        }
    }

    private static void together(
            Operations left,
            @Nullable WriteOrigin statement,
            long operations,
            @Nullable WriteOrigin transaction,
            long wall,
            Consumer<Entry> entries) {
        WriteOrigin origin = transaction == null ? statement : transaction;
        boolean isFirst = true;
        while (left.hasNext()) {
            BsonWriter out = new BsonWriter(AROUND_BYTES);
            if (origin != null) {
                putOrigin(out, origin);
            }
            out.put("op", "c").put("ns", "admin.$cmd").startDocument("o").startArray("applyOps");
            out.expecting(left.bytesAhead() + ENDS_BYTES + Entry.lastBytes(chain(origin, isFirst, left.isOneEntry())));
            List<byte @Nullable []> images = left.put(out);
            out.end();
            boolean isLast = !left.hasNext();
            if (!isLast) {
                out.put("partialTxn", true);
            } else if (!isFirst) {
                out.put("count", operations);
            }
            out.end();
            entries.accept(Entry.of(out, chain(origin, isFirst, isLast), wall, images));
            isFirst = false;
        }
    }

    private static Entry.Chain chain(@Nullable WriteOrigin origin, boolean isFirst, boolean isLast) {
        if (!isFirst) {
            return Entry.Chain.NEXT;
        }
        return origin != null || !isLast ? Entry.Chain.FIRST : Entry.Chain.NONE;
    }

    /** The operations of several runs, one after the other, as many at a time as fit one entry. */
    private static final class Operations implements AutoCloseable {
        private final Iterator<Member> members;
        private final boolean withStatements;

        /** What an entry holds. */
        private final int bytesMax;

        /** What is left of those in the heap: exactly, as long as none of them is in an entry. */
        private long bytesLeft;

        /** The run that is being read, which stands on the next operation; null after the last. */
        private @Nullable Member member;

        private Operation.@Nullable Changes changes;

        Operations(List<Member> members, boolean withStatements) {
            this.members = members.iterator();
            this.withStatements = withStatements;
            boolean hasSpilled = false;
            for (Member each : members) {
                hasSpilled |= each.run().hasSpilled();
            }
            this.bytesLeft = hasSpilled ? bytes(members) : exactBytes(members);
            this.bytesMax = hasSpilled ? SPILLED_OPERATION_BYTES_MAX : OPERATION_BYTES_MAX;
            step();
        }

        /** Roughly, without reading files. */
        private static long bytes(List<Member> members) {
            return members.stream()
                    .mapToLong(each -> each.run().bytes() + (long) each.run().size() * ELEMENT_BYTES)
                    .sum();
        }

        /** So that the array that they are written to need not grow, nor be copied at the end. */
        private long exactBytes(List<Member> members) {
            long sum = 0;
            long index = 0;
            long digits = 1;
            long more = 10;
            for (Member each : members) {
                try (Operation.Changes all = each.run().changes()) {
                    while (all.next()) {
                        if (index == more) {
                            digits++;
                            more *= 10;
                        }
                        index++;
                        boolean hasStatement = withStatements && statement(each, all) != Operation.NO_STATEMENT;
                        sum += 2 + digits + all.length() + (hasStatement ? STATEMENT_BYTES : 0);
                    }
                }
            }
            return sum;
        }

        boolean hasNext() {
            return member != null;
        }

        /** Whether what is left fits one entry. */
        boolean isOneEntry() {
            return bytesLeft <= bytesMax;
        }

        private void step() {
            while (changes == null || !changes.next()) {
                close();
                if (!members.hasNext()) {
                    member = null;
                    return;
                }
                member = members.next();
                changes = member.run().changes();
            }
        }

        /** What {@link #put} will add, roughly. */
        int bytesAhead() {
            return (int) Math.min(bytesLeft, bytesMax);
        }

        /** Adds as many as fit, as elements of an array; returns what they have replaced, if anything is kept of it. */
        List<byte @Nullable []> put(BsonWriter out) {
            List<byte @Nullable []> images = new ArrayList<>();
            boolean keepsAny = false;
            int bytes = 0;
            Member now = member;
            while (now != null && changes != null) {
                int more = changes.length() + ELEMENT_BYTES;
                if (bytes > 0 && bytes + more > bytesMax) {
                    break;
                }
                bytes += more;
                putOne(now, changes, out);
                byte[] image = changes.image();
                keepsAny |= image != null;
                images.add(image);
                step();
                now = member;
            }
            bytesLeft = Math.max(0, bytesLeft - bytes);
            return keepsAny ? images : List.of();
        }

        private void putOne(Member now, Operation.Changes change, BsonWriter out) {
            out.startDocument();
            change.copy(out);
            int statement = statement(now, change);
            if (withStatements && statement != Operation.NO_STATEMENT) {
                out.put("stmtId", statement);
            }
            out.end();
        }

        private static int statement(Member of, Operation.Changes change) {
            int own = change.statement();
            return own == Operation.NO_STATEMENT && of.origin() != null
                    ? of.origin().stmtId()
                    : own;
        }

        @Override
        public void close() {
            Operation.Changes open = changes;
            if (open != null) {
                open.close();
                changes = null;
            }
        }
    }
}
