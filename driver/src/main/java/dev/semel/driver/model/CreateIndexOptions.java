package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** Options of {@code createIndexes}. */
public final class CreateIndexOptions extends TimedOptions<CreateIndexOptions> {
    private @Nullable CreateIndexCommitQuorum commitQuorum;

    /** How many members must have built the index; null: the server decides. */
    public @Nullable CreateIndexCommitQuorum getCommitQuorum() {
        return commitQuorum;
    }

    public CreateIndexOptions commitQuorum(@Nullable CreateIndexCommitQuorum value) {
        commitQuorum = value;
        return this;
    }

    @Override
    CreateIndexOptions self() {
        return this;
    }
}
