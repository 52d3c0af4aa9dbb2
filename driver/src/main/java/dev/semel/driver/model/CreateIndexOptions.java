package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** How to create indexes. */
public final class CreateIndexOptions extends TimedOptions<CreateIndexOptions> {
    private @Nullable String commitQuorum;

    /** How many members must have built the index: a number or the name of a mode. */
    public @Nullable String getCommitQuorum() {
        return commitQuorum;
    }

    public CreateIndexOptions commitQuorum(@Nullable String value) {
        commitQuorum = value;
        return this;
    }

    @Override
    CreateIndexOptions self() {
        return this;
    }
}
