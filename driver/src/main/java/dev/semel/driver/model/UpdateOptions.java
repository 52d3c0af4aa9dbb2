package dev.semel.driver.model;

import java.util.List;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to update. */
public final class UpdateOptions {
    private boolean upsert = false;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable Bson collation;
    private @Nullable List<? extends Bson> arrayFilters;
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private @Nullable BsonValue comment;
    private @Nullable Bson let;
    private @Nullable Bson sort;

    public boolean isUpsert() {
        return upsert;
    }

    public UpdateOptions upsert(boolean value) {
        upsert = value;
        return this;
    }

    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public UpdateOptions bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public @Nullable Bson getCollation() {
        return collation;
    }

    public UpdateOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable List<? extends Bson> getArrayFilters() {
        return arrayFilters;
    }

    public UpdateOptions arrayFilters(@Nullable List<? extends Bson> value) {
        arrayFilters = value;
        return this;
    }

    public @Nullable Bson getHint() {
        return hint;
    }

    public UpdateOptions hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public @Nullable String getHintString() {
        return hintString;
    }

    public UpdateOptions hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public UpdateOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public @Nullable Bson getLet() {
        return let;
    }

    public UpdateOptions let(@Nullable Bson value) {
        let = value;
        return this;
    }

    public @Nullable Bson getSort() {
        return sort;
    }

    public UpdateOptions sort(@Nullable Bson value) {
        sort = value;
        return this;
    }
}
