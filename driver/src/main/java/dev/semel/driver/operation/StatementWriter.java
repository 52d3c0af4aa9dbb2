package dev.semel.driver.operation;

import dev.semel.driver.model.DeleteManyModel;
import dev.semel.driver.model.DeleteOneModel;
import dev.semel.driver.model.DeleteOptions;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.ReplaceOneModel;
import dev.semel.driver.model.ReplaceOptions;
import dev.semel.driver.model.UpdateManyModel;
import dev.semel.driver.model.UpdateOneModel;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.model.WriteModel;
import java.util.Map;
import org.bson.BsonBinaryWriter;
import org.bson.codecs.Encoder;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Writes update and delete statements in the form of their commands. */
final class StatementWriter<T> {
    private final Encoder<T> encoder;
    private final CodecRegistry codecs;

    StatementWriter(Encoder<T> encoder, CodecRegistry codecs) {
        this.encoder = encoder;
        this.codecs = codecs;
    }

    /** Returns the length of the document in it that is to be stored, or 0. */
    int write(BsonBinaryWriter writer, WriteModel<T> model) {
        writer.writeStartDocument();
        var fields = new Fields(writer, codecs);
        int stored = 0;
        switch (model) {
            case InsertOneModel<T> insert -> throw new IllegalArgumentException("An insert is only its document");
            case UpdateOneModel<T>(Bson filter, WriteModel.Change update, UpdateOptions options) ->
                update(fields, filter, update, options, false);
            case UpdateManyModel<T>(Bson filter, WriteModel.Change update, UpdateOptions options) ->
                update(fields, filter, update, options, true);
            case ReplaceOneModel<T>(Bson filter, T replacement, ReplaceOptions options) ->
                stored = replace(fields, filter, replacement, options);
            case DeleteOneModel<T>(Bson filter, DeleteOptions options) -> delete(fields, filter, options, 1);
            case DeleteManyModel<T>(Bson filter, DeleteOptions options) -> delete(fields, filter, options, 0);
        }
        writer.writeEndDocument();
        return stored;
    }

    private static void update(
            Fields fields, Bson filter, WriteModel.Change update, UpdateOptions options, boolean isMulti) {
        fields.putBson("q", filter);
        change(fields, "u", update);
        fields.putIfTrue("multi", isMulti)
                .putIfTrue("upsert", options.isUpsert())
                .putBson("collation", options.getCollation())
                .putBsons("arrayFilters", options.getArrayFilters())
                .putHint(options.getHint(), options.getHintString())
                .putBson("sort", options.getSort());
    }

    /** Checked here, because a server would take an update without operators for a replacement. */
    static void change(Fields fields, String name, WriteModel.Change update) {
        Bson operators = update.operators();
        if (operators != null && !Fields.firstName(operators, fields.codecs()).startsWith("$")) {
            throw new IllegalArgumentException("An update must consist of operators, whose names begin with $");
        }
        fields.putBson(name, update.operators()).putBsons(name, update.pipeline());
    }

    static void checkReplacement(@Nullable Object replacement) {
        if (replacement instanceof Map<?, ?> fields
                && !fields.isEmpty()
                && fields.keySet().iterator().next().toString().startsWith("$")) {
            throw new IllegalArgumentException("A replacement must not have fields whose names begin with $");
        }
    }

    private int replace(Fields fields, Bson filter, T replacement, ReplaceOptions options) {
        checkReplacement(replacement);
        fields.putBson("q", filter);
        int stored = StoredDocument.write(fields.writer(), "u", replacement, encoder);
        fields.putIfTrue("upsert", options.isUpsert())
                .putBson("collation", options.getCollation())
                .putHint(options.getHint(), options.getHintString())
                .putBson("sort", options.getSort());
        return stored;
    }

    private static void delete(Fields fields, Bson filter, DeleteOptions options, int limit) {
        fields.putBson("q", filter)
                .put("limit", limit)
                .putBson("collation", options.getCollation())
                .putHint(options.getHint(), options.getHintString());
    }
}
