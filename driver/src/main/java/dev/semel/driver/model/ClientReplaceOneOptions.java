package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of a {@code replaceOne} in a client's {@code bulkWrite}. */
public final class ClientReplaceOneOptions extends ClientChangeOptions<ClientReplaceOneOptions> {
    public static ClientReplaceOneOptions clientReplaceOneOptions() {
        return new ClientReplaceOneOptions();
    }

    public ClientReplaceOneOptions sort(@Nullable Bson value) {
        return inOrder(value);
    }

    @Override
    ClientReplaceOneOptions self() {
        return this;
    }
}
