package dev.semel.driver.operation;

import dev.semel.driver.model.ClientChangeOptions;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.ClientStatementOptions;
import dev.semel.driver.setting.MongoNamespace;
import java.util.Map;
import org.bson.BsonBinaryWriter;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.Encoder;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.io.BasicOutputBuffer;

/** A statement of a bulk write of a client, ready to be encoded. */
record ClientStatement(ClientNamespacedWriteModel model, Content content, CodecRegistry codecs) {
    /** Writes the documents of the application's own types, if the statement has one. */
    @FunctionalInterface
    private interface Content {
        Content NONE = (writer, out) -> {};

        void write(BsonBinaryWriter writer, BasicOutputBuffer out);
    }

    /** The id of an insert is put where the index of the statement says, when the statement is encoded. */
    static ClientStatement of(
            int index, ClientNamespacedWriteModel model, Map<Integer, BsonValue> ids, CodecRegistry codecs) {
        Content content = switch (model) {
            case ClientNamespacedWriteModel.InsertOne insert -> inserted(index, insert.document(), ids, codecs);
            case ClientNamespacedWriteModel.ReplaceOne replace -> {
                StatementWriter.checkReplacement(replace.replacement());
                yield replacement(replace.replacement(), codec(replace.replacement(), codecs));
            }
            case ClientNamespacedWriteModel.Update update -> Content.NONE;
            case ClientNamespacedWriteModel.Delete delete -> Content.NONE;
        };
        return new ClientStatement(model, content, codecs);
    }

    @SuppressWarnings("unchecked") // The class of an object is that of the object.
    private static <T> Codec<T> codec(T document, CodecRegistry codecs) {
        return codecs.get((Class<T>) document.getClass());
    }

    private static <T> Content inserted(int index, T document, Map<Integer, BsonValue> ids, CodecRegistry codecs) {
        Codec<T> codec = codec(document, codecs);
        T withId = InsertedDocument.withId(document, codec);
        return (writer, out) -> ids.put(index, InsertedDocument.write(writer, out, "document", withId, codec));
    }

    private static <T> Content replacement(T document, Encoder<T> encoder) {
        return (writer, out) -> StoredDocument.write(writer, "updateMods", document, encoder);
    }

    MongoNamespace namespace() {
        return model.namespace();
    }

    boolean isMulti() {
        return switch (model) {
            case ClientNamespacedWriteModel.Update update -> update.isMulti();
            case ClientNamespacedWriteModel.Delete delete -> delete.isMulti();
            case ClientNamespacedWriteModel.InsertOne insert -> false;
            case ClientNamespacedWriteModel.ReplaceOne replace -> false;
        };
    }

    /** The statement as the command contains it; the number is the index of its namespace. */
    void write(BasicOutputBuffer out, int collection) {
        var writer = new BsonBinaryWriter(out);
        var fields = new Fields(writer, codecs);
        writer.writeStartDocument();
        switch (model) {
            case ClientNamespacedWriteModel.InsertOne insert -> {
                fields.put("insert", collection);
                content.write(writer, out);
            }
            case ClientNamespacedWriteModel.Update update -> {
                fields.put("update", collection).putBson("filter", update.filter());
                StatementWriter.change(fields, "updateMods", update.update());
                change(fields, update.options(), update.isMulti());
            }
            case ClientNamespacedWriteModel.ReplaceOne replace -> {
                fields.put("update", collection).putBson("filter", replace.filter());
                content.write(writer, out);
                change(fields, replace.options(), false);
            }
            case ClientNamespacedWriteModel.Delete delete -> {
                fields.put("delete", collection).putBson("filter", delete.filter());
                select(fields, delete.options(), delete.isMulti());
            }
        }
        writer.writeEndDocument();
    }

    private static void change(Fields fields, ClientChangeOptions<?> options, boolean isMulti) {
        select(fields, options, isMulti);
        fields.putIfTrue("upsert", options.isUpsert())
                .putBsons("arrayFilters", options.getArrayFilters())
                .putBson("sort", options.getSort());
    }

    private static void select(Fields fields, ClientStatementOptions<?> options, boolean isMulti) {
        fields.put("multi", isMulti)
                .putBson("collation", options.getCollation())
                .putHint(options.getHint(), options.getHintString());
    }
}
