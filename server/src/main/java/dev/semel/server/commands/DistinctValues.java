package dev.semel.server.commands;

import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.LinkedHashSet;
import java.util.Set;

/** The values that documents have at one path, each once and sorted; an array stands for its elements. */
final class DistinctValues {
    /** What a reply needs beside the values. */
    private static final int REPLY_BYTES = 1024;

    private final DottedPath path;
    private final Collation collation;
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

    DistinctValues(DottedPath path, Collation collation) {
        this.path = path;
        this.collation = collation;
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
        if (values.add(new Same(at.value(), collation.key(at.value())))) {
            bytes += at.valueEnd() - at.elementStart() + 8L;
            if (bytes > Limits.DOCUMENT_BYTES_MAX - REPLY_BYTES) {
                throw new CommandException(ErrorCode.location(17217), "distinct too big, 16mb cap");
            }
        }
    }

    void writeTo(BsonWriter reply) {
        reply.startArray("values");
        values.stream().sorted((a, b) -> ValueOrder.compare(a.key, b.key)).forEach(each -> reply.add(each.value()));
        reply.end();
    }
}
