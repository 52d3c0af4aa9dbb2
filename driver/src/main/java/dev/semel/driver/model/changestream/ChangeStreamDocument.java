package dev.semel.driver.model.changestream;

import dev.semel.driver.setting.MongoNamespace;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonInt64;
import org.bson.BsonTimestamp;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;
import org.jspecify.annotations.Nullable;

/**
 * A change event. Fields that the event does not have are null.
 *
 * @param all the whole change as it came
 */
public record ChangeStreamDocument<T>(
        BsonDocument all,
        @Nullable T fullDocument,
        @Nullable T fullDocumentBeforeChange) {
    /** Documents in it are decoded, the rest is left as it came. */
    public static <T> ChangeStreamDocument<T> of(BsonDocument change, Decoder<T> decoder) {
        return new ChangeStreamDocument<>(
                change, decode(change, "fullDocument", decoder), decode(change, "fullDocumentBeforeChange", decoder));
    }

    private static <T> @Nullable T decode(BsonDocument change, String field, Decoder<T> decoder) {
        return change.isDocument(field)
                ? decoder.decode(
                        new BsonDocumentReader(change.getDocument(field)),
                        DecoderContext.builder().build())
                : null;
    }

    /** The resume token of this change. */
    public BsonDocument getResumeToken() {
        return all.getDocument("_id");
    }

    public String getOperationTypeString() {
        return all.getString("operationType").getValue();
    }

    public OperationType getOperationType() {
        return OperationType.fromString(getOperationTypeString());
    }

    /** Null if the change is one of a whole database. */
    public @Nullable MongoNamespace getNamespace() {
        return namespace(getNamespaceDocument());
    }

    public @Nullable BsonDocument getNamespaceDocument() {
        return document("ns");
    }

    public @Nullable String getDatabaseName() {
        BsonDocument namespace = getNamespaceDocument();
        return namespace == null ? null : namespace.getString("db").getValue();
    }

    /** The new name of a renamed collection. */
    public @Nullable MongoNamespace getDestinationNamespace() {
        return namespace(getDestinationNamespaceDocument());
    }

    public @Nullable BsonDocument getDestinationNamespaceDocument() {
        return document("to");
    }

    /** As asked for by {@link FullDocument}. */
    public @Nullable T getFullDocument() {
        return fullDocument;
    }

    /** As asked for by {@link FullDocumentBeforeChange}. */
    public @Nullable T getFullDocumentBeforeChange() {
        return fullDocumentBeforeChange;
    }

    public @Nullable BsonDocument getDocumentKey() {
        return document("documentKey");
    }

    public @Nullable BsonTimestamp getClusterTime() {
        return all.isTimestamp("clusterTime") ? all.getTimestamp("clusterTime") : null;
    }

    public @Nullable UpdateDescription getUpdateDescription() {
        BsonDocument fields = document("updateDescription");
        return fields == null ? null : UpdateDescription.of(fields);
    }

    /** Null if the change came as a whole. */
    public @Nullable SplitEvent getSplitEvent() {
        BsonDocument split = document("splitEvent");
        return split != null && split.isNumber("fragment") && split.isNumber("of")
                ? new SplitEvent(
                        split.getNumber("fragment").intValue(),
                        split.getNumber("of").intValue())
                : null;
    }

    /** Of the transaction that the change was made in. */
    public @Nullable BsonInt64 getTxnNumber() {
        return all.isInt64("txnNumber") ? all.getInt64("txnNumber") : null;
    }

    public @Nullable BsonDocument getLsid() {
        return document("lsid");
    }

    public @Nullable BsonDateTime getWallTime() {
        return all.isDateTime("wallTime") ? all.getDateTime("wallTime") : null;
    }

    private @Nullable BsonDocument document(String field) {
        return all.isDocument(field) ? all.getDocument(field) : null;
    }

    private static @Nullable MongoNamespace namespace(@Nullable BsonDocument fields) {
        return fields != null && fields.isString("db") && fields.isString("coll")
                ? new MongoNamespace(
                        fields.getString("db").getValue(),
                        fields.getString("coll").getValue())
                : null;
    }
}
