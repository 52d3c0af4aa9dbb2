package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How a bulk write of a client updates one document. */
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
