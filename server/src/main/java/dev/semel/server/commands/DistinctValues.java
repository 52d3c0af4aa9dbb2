package dev.semel.server.commands;

import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Held;
import dev.semel.query.value.ValueOrder;
import dev.semel.server.command.ReplyMemory;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The values that documents have at one path, each once and sorted; an array stands for its elements. Drawn from the memory
 * of all queries until it is closed: small values take many times their bytes as objects.
 */
final class DistinctValues implements AutoCloseable {
    /** What a reply needs beside the values. */
    private static final int REPLY_BYTES = 1024;

    /** Of a value: its entry and its place in the set and in the order, and what it consists of beside its content. */
    private static final int ENTRY_BYTES = 128;

    private final DottedPath path;
    private final Collation collation;
    private final Reservation held;
    private final Set<Same> values = new LinkedHashSet<>();
    private long bytes;

    /** Values that compare equal are one, whatever their types: 1 and 1.0. */
    private record Same(Value value, Value key) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Same same && ValueOrder.equal(key, same.key);
        }

        @Override
        public int hashCode() {
            return ValueOrder.hash(key);
        }
    }

    DistinctValues(DottedPath path, Collation collation, MemoryPart queries) {
        this.path = path;
        this.collation = collation;
        this.held = queries.open();
    }

    @Override
    public void close() {
        held.close();
    }

    void add(RawDocument document) {
        collect(document, 0, false);
    }

    private void collect(RawDocument in, int part, boolean isArray) {
        byte[] name = path.partUtf8(part);
        if (isArray && path.index(part) < 0) {
            for (ElementCursor at = in.cursor(); at.next(); ) {
                if (at.type() == BsonType.DOCUMENT) {
                    collect(RawDocument.view(at.array(), at.valueStart()), part, false);
                }
            }
            return;
        }
        for (ElementCursor at = in.cursor(); at.next(); ) {
            if (at.nameIs(name)) {
                found(at, part);
                return;
            }
        }
    }

    private void found(ElementCursor at, int part) {
        BsonType type = at.type();
        if (part < path.size() - 1) {
            if (type == BsonType.DOCUMENT || type == BsonType.ARRAY) {
                collect(RawDocument.view(at.array(), at.valueStart()), part + 1, type == BsonType.ARRAY);
            }
        } else if (type == BsonType.ARRAY) {
            for (ElementCursor element =
                            RawDocument.view(at.array(), at.valueStart()).cursor();
                    element.next(); ) {
                add(element);
            }
        } else {
            add(at);
        }
    }

    private void add(ElementCursor at) {
        if (at.type() == BsonType.UNDEFINED) {
            return;
        }
        Value value = at.value();
        Value key = collation.key(value);
        if (values.contains(new Same(value, key))) {
            return;
        }
        bytes += at.valueEnd() - at.elementStart() + 8L;
        if (bytes > Limits.DOCUMENT_BYTES_MAX - REPLY_BYTES) {
            throw new CommandException(ErrorCode.location(17217), "distinct too big, 16mb cap");
        }
        boolean isItsOwnKey = key == value;
        if (!held.tryGrow(ENTRY_BYTES + Held.bytes(value) + (isItsOwnKey ? 0L : Held.bytes(key)))) {
            throw held.part()
                    .refusal(ErrorCode.ExceededMemoryLimit, "What all queries hold with these distinct values");
        }
        // Not the document it was found in.
        Value kept = Held.copy(value);
        values.add(new Same(kept, isItsOwnKey ? kept : Held.copy(key)));
    }

    /** A reply with the values, as far as the memory for replies has room. */
    BsonWriter reply(ReplyMemory memory) {
        memory.reach(bytes + REPLY_BYTES);
        BsonWriter reply = new BsonWriter((int) bytes + REPLY_BYTES);
        writeTo(reply);
        return reply;
    }

    private void writeTo(BsonWriter reply) {
        reply.startArray("values");
        values.stream().sorted((a, b) -> ValueOrder.compare(a.key, b.key)).forEach(each -> reply.add(each.value()));
        reply.end();
    }
}
