package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How a bulk write of a client replaces a document. */
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
