package dev.semel.driver.model;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How to rename a collection. */
public final class RenameCollectionOptions {
    private boolean dropTarget = false;
    private @Nullable BsonValue comment;

    public boolean isDropTarget() {
        return dropTarget;
    }

    public RenameCollectionOptions dropTarget(boolean value) {
        dropTarget = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public RenameCollectionOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }
}
