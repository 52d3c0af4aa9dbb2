package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of document validation. The server's defaults apply to what is null. */
public final class ValidationOptions {
    private @Nullable Bson validator;
    private @Nullable ValidationLevel validationLevel;
    private @Nullable ValidationAction validationAction;

    /** The filter that documents have to match. */
    public @Nullable Bson getValidator() {
        return validator;
    }

    public ValidationOptions validator(@Nullable Bson value) {
        validator = value;
        return this;
    }

    public @Nullable ValidationLevel getValidationLevel() {
        return validationLevel;
    }

    public ValidationOptions validationLevel(@Nullable ValidationLevel value) {
        validationLevel = value;
        return this;
    }

    public @Nullable ValidationAction getValidationAction() {
        return validationAction;
    }

    public ValidationOptions validationAction(@Nullable ValidationAction value) {
        validationAction = value;
        return this;
    }
}
