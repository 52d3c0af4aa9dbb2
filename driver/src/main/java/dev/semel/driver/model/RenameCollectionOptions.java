package dev.semel.driver.model;

/** Options of {@code renameCollection}. */
public final class RenameCollectionOptions extends CommentedOptions<RenameCollectionOptions> {
    private boolean dropTarget;

    /** Whether to drop an existing collection of the new name. */
    public boolean isDropTarget() {
        return dropTarget;
    }

    public RenameCollectionOptions dropTarget(boolean value) {
        dropTarget = value;
        return this;
    }

    @Override
    RenameCollectionOptions self() {
        return this;
    }
}
