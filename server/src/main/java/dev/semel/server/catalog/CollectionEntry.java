package dev.semel.server.catalog;

import dev.semel.query.value.Collation;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What the catalog stores of a collection: {@code {number, uuid, options, indexes: [{number, spec, stage}], order}}. Immutable; a
 * change stores another entry. An index without a stage is ready.
 *
 * @param indexes all but the one on {@code _id}, which is the order of the documents themselves
 * @param order the number under which the order of insertions is stored; 0 if it is not
 */
record CollectionEntry(
        Namespace namespace, int number, UUID uuid, RawDocument options, List<IndexEntry> indexes, int order) {

    /** An index and the number under which its entries are stored. */
    record IndexEntry(int number, IndexSpec spec, IndexStage stage) {
        static IndexEntry ready(int number, IndexSpec spec) {
            return new IndexEntry(number, spec, IndexStage.READY);
        }

        IndexEntry at(IndexStage other) {
            return new IndexEntry(number, spec, other);
        }
    }

    static CollectionEntry read(Namespace namespace, byte[] row) {
        RawDocument entry = RawDocument.of(row);
        List<IndexEntry> indexes = new ArrayList<>();
        for (var at = ((Value.Array) required(entry, "indexes")).elements().cursor(); at.next(); ) {
            RawDocument index = ((Value.Doc) at.value()).document();
            RawDocument spec = ((Value.Doc) required(index, "spec")).document();
            IndexStage stage = index.has("stage")
                    ? IndexStage.valueOf(
                            ((Value.Str) required(index, "stage")).text().toString())
                    : IndexStage.READY;
            indexes.add(new IndexEntry(number(index), IndexSpec.parse(spec).orElse(Collation.SIMPLE), stage));
        }
        ByteBuffer uuid = ByteBuffer.wrap(((Value.Binary) required(entry, "uuid")).bytes());
        return new CollectionEntry(
                namespace,
                number(entry),
                new UUID(uuid.getLong(), uuid.getLong()),
                ((Value.Doc) required(entry, "options")).document(),
                List.copyOf(indexes),
                entry.has("order") ? ((Value.Int32) required(entry, "order")).value() : 0);
    }

    private static Value required(RawDocument entry, String field) {
        Value value = entry.get(field);
        if (value == null) {
            throw new IllegalStateException("catalog entry without " + field + ": " + entry);
        }
        return value;
    }

    private static int number(RawDocument entry) {
        return ((Value.Int32) required(entry, "number")).value();
    }

    byte[] toRow() {
        BsonWriter out = new BsonWriter()
                .put("number", number)
                .put("uuid", uuidValue(uuid))
                .put("options", options)
                .startArray("indexes");
        for (IndexEntry index : indexes) {
            out.startDocument().put("number", index.number).put("spec", index.spec.toDocument());
            if (index.stage != IndexStage.READY) {
                out.put("stage", index.stage.name());
            }
            out.end();
        }
        out.end();
        if (order != 0) {
            out.put("order", order);
        }
        return out.finish().toBytes();
    }

    static Value uuidValue(UUID uuid) {
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        return new Value.Binary((byte) 4, bytes);
    }

    CollectionEntry withNamespace(Namespace renamed) {
        return new CollectionEntry(renamed, number, uuid, options, indexes, order);
    }

    CollectionEntry withIndexes(List<IndexEntry> changed) {
        return new CollectionEntry(namespace, number, uuid, options, List.copyOf(changed), order);
    }

    boolean isBuilding() {
        return indexes.stream().anyMatch(each -> each.stage != IndexStage.READY);
    }

    /** Without the indexes that are being built. */
    CollectionEntry withoutBuilds() {
        return withIndexes(
                indexes.stream().filter(each -> each.stage == IndexStage.READY).toList());
    }

    CollectionEntry withOptions(RawDocument changed) {
        return new CollectionEntry(namespace, number, uuid, changed, indexes, order);
    }
}
