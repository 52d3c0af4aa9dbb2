package dev.semel.driver.model;

/** How to rename a collection. */
public final class RenameCollectionOptions extends CommentedOptions<RenameCollectionOptions> {
    private boolean dropTarget;

    /** Whether a collection that has the new name is dropped. */
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
