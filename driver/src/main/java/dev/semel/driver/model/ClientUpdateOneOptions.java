package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of an {@code updateOne} in a client's {@code bulkWrite}. */
public final class ClientUpdateOneOptions extends ClientChangeOptions<ClientUpdateOneOptions> {
    public static ClientUpdateOneOptions clientUpdateOneOptions() {
        return new ClientUpdateOneOptions();
    }

    public ClientUpdateOneOptions arrayFilters(@Nullable List<? extends Bson> value) {
        return filterArrays(value);
    }

    public ClientUpdateOneOptions sort(@Nullable Bson value) {
        return inOrder(value);
    }

    @Override
    ClientUpdateOneOptions self() {
        return this;
    }
}
