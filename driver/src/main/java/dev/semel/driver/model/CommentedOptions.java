package dev.semel.driver.model;

import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Options of all operations. */
public abstract sealed class CommentedOptions<S extends CommentedOptions<S>>
        permits TimedOptions, SelectingOptions, BypassingOptions, RenameCollectionOptions, CreateCollectionOptions {
    private @Nullable BsonValue comment;

    /** For the server's log and profiler. */
    public @Nullable BsonValue getComment() {
        return comment;
    }

    public S comment(@Nullable BsonValue value) {
        comment = value;
        return self();
    }

    public S comment(String value) {
        return comment(new BsonString(value));
    }

    abstract S self();
}
