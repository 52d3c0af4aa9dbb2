package dev.semel.driver.model;

import dev.semel.driver.setting.WriteConcern;
import org.jspecify.annotations.Nullable;

/** Options of a client's {@code bulkWrite}, which may write to several collections. */
public final class ClientBulkWriteOptions extends BatchOptions<ClientBulkWriteOptions> {
    private boolean verboseResults;
    private @Nullable WriteConcern writeConcern;

    public static ClientBulkWriteOptions clientBulkWriteOptions() {
        return new ClientBulkWriteOptions();
    }

    /** Whether the result has an entry for each statement, and not only the counts. False unless set. */
    public boolean isVerboseResults() {
        return verboseResults;
    }

    public ClientBulkWriteOptions verboseResults(boolean value) {
        verboseResults = value;
        return this;
    }

    /** The write concern; null: that of the client. Not allowed in a transaction. */
    public @Nullable WriteConcern getWriteConcern() {
        return writeConcern;
    }

    public ClientBulkWriteOptions writeConcern(@Nullable WriteConcern value) {
        writeConcern = value;
        return this;
    }

    @Override
    ClientBulkWriteOptions self() {
        return this;
    }
}
