package dev.semel.driver.model.changestream;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What an update changed in the document. */
public record UpdateDescription(
        List<String> removedFields,
        BsonDocument updatedFields,
        List<TruncatedArray> truncatedArrays,
        @Nullable BsonDocument disambiguatedPaths) {
    static UpdateDescription of(BsonDocument fields) {
        var none = new BsonArray();
        return new UpdateDescription(
                fields.getArray("removedFields", none).stream()
                        .map(each -> each.asString().getValue())
                        .toList(),
                fields.getDocument("updatedFields", new BsonDocument()),
                fields.getArray("truncatedArrays", none).stream()
                        .map(BsonValue::asDocument)
                        .map(each -> new TruncatedArray(
                                each.getString("field").getValue(),
                                each.getNumber("newSize").intValue()))
                        .toList(),
                fields.isDocument("disambiguatedPaths") ? fields.getDocument("disambiguatedPaths") : null);
    }

    public List<String> getRemovedFields() {
        return removedFields;
    }

    public BsonDocument getUpdatedFields() {
        return updatedFields;
    }

    public List<TruncatedArray> getTruncatedArrays() {
        return truncatedArrays;
    }

    /** Which numbers in paths are names of fields and which are places in arrays, where that is not plain. */
    public @Nullable BsonDocument getDisambiguatedPaths() {
        return disambiguatedPaths;
    }
}
