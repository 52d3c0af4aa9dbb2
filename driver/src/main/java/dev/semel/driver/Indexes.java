package dev.semel.driver;

import dev.semel.driver.model.CreateIndexOptions;
import dev.semel.driver.model.DropIndexOptions;
import dev.semel.driver.model.IndexModel;
import dev.semel.driver.model.IndexOptions;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.MongoNamespace;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonNumber;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Creates and drops the indexes of a collection. */
record Indexes(Scope scope, MongoNamespace namespace) {
    List<String> create(@Nullable ClientSession session, List<IndexModel> indexes, CreateIndexOptions options) {
        if (indexes.isEmpty()) {
            throw new IllegalArgumentException("There is no index to create");
        }
        var quorum = options.getCommitQuorum();
        var operation = CommandOperation.write(
                        "createIndexes",
                        namespace.databaseName(),
                        scope.writeConcern(),
                        scope.codecs(),
                        fields -> {
                            fields.put("createIndexes", namespace.collectionName());
                            fields.writer().writeStartArray("indexes");
                            indexes.forEach(each -> write(fields, each));
                            fields.writer().writeEndArray();
                            fields.put("commitQuorum", quorum == null ? null : quorum.toBsonValue())
                                    .put("comment", options.getComment());
                        },
                        reply -> reply)
                .withMaxTime(options.getMaxTime());
        scope.run(operation, session);
        return indexes.stream().map(this::name).toList();
    }

    private void write(Fields fields, IndexModel index) {
        IndexOptions options = index.options();
        var expireAfter = options.getExpireAfter();
        fields.writer().writeStartDocument();
        fields.putBson("key", index.keys())
                .put("name", name(index))
                .putIfTrue("unique", options.isUnique())
                .putIfTrue("sparse", options.isSparse())
                .putIfTrue("hidden", options.isHidden())
                .put("expireAfterSeconds", expireAfter == null ? null : Long.valueOf(expireAfter.toSeconds()))
                .putBson("partialFilterExpression", options.getPartialFilterExpression())
                .putBson("collation", options.getCollation())
                .putBson("weights", options.getWeights())
                .put("default_language", options.getDefaultLanguage())
                .put("language_override", options.getLanguageOverride())
                .put("textIndexVersion", options.getTextVersion())
                .put("2dsphereIndexVersion", options.getSphereVersion())
                .put("bits", options.getBits())
                .put("min", options.getMin())
                .put("max", options.getMax())
                .putBson("wildcardProjection", options.getWildcardProjection())
                .putBson("storageEngine", options.getStorageEngine())
                .put("v", options.getVersion());
        fields.writer().writeEndDocument();
    }

    /** The name the shell would give: fields and directions in a row. */
    private String name(IndexModel index) {
        String given = index.options().getName();
        if (given != null) {
            return given;
        }
        BsonDocument keys = index.keys().toBsonDocument(Document.class, scope.codecs());
        return keys.entrySet().stream()
                .map(each -> each.getKey() + "_" + direction(each.getValue()))
                .collect(Collectors.joining("_"));
    }

    private static String direction(BsonValue value) {
        return value instanceof BsonNumber number
                ? String.valueOf(number.intValue())
                : value.asString().getValue().replace(' ', '_');
    }

    /** By name, by keys, or all of them by {@code *}. */
    void drop(@Nullable ClientSession session, BsonValue index, DropIndexOptions options) {
        var operation = CommandOperation.write(
                        "dropIndexes",
                        namespace.databaseName(),
                        scope.writeConcern(),
                        scope.codecs(),
                        fields -> fields.put("dropIndexes", namespace.collectionName())
                                .put("index", index)
                                .put("comment", options.getComment()),
                        reply -> reply)
                .withMaxTime(options.getMaxTime());
        NamespaceErrors.ignoring(() -> scope.run(operation, session));
    }
}
