package dev.semel.server.catalog;

import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.query.value.ValueHash;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one key of a document in which a value is replaced by its hash. There are no arrays in such an index. */
record HashedKeys(List<KeyColumn> columns, Collation collation) implements KeyGenerator {

    @Override
    public IndexKeys.Extraction extract(RawDocument document) {
        @Nullable Value[] key = new @Nullable Value[columns.size()];
        boolean missing = true;
        for (int i = 0; i < key.length; i++) {
            KeyColumn column = columns.get(i);
            Value found = find(column.path(), document);
            missing &= found == null;
            key[i] = column.kind() == IndexKind.HASHED ? hash(found == null ? Value.NULL : found) : found;
        }
        return new IndexKeys.Extraction(List.<@Nullable Value[]>of(key), new long[key.length], missing);
    }

    private Value hash(Value value) {
        return Value.of(ValueHash.of(collation.key(value)));
    }

    private static @Nullable Value find(DottedPath path, RawDocument document) {
        RawDocument inside = document;
        for (int part = 0; ; part++) {
            Value value = inside.get(path.partUtf8(part));
            if (value instanceof Value.Array) {
                throw new CommandException(
                        ErrorCode.location(16766),
                        "Error: hashed indexes do not currently support array values. Found array at path: %s",
                        path.prefix(part + 1));
            }
            if (part + 1 == path.size()) {
                return value;
            }
            if (!(value instanceof Value.Doc(RawDocument inner))) {
                return null;
            }
            inside = inner;
        }
    }
}
