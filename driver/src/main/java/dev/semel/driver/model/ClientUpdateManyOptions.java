package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How a bulk write of a client updates all documents that match. */
public final class ClientUpdateManyOptions extends ClientChangeOptions<ClientUpdateManyOptions> {
    public static ClientUpdateManyOptions clientUpdateManyOptions() {
        return new ClientUpdateManyOptions();
    }

    public ClientUpdateManyOptions arrayFilters(@Nullable List<? extends Bson> value) {
        return filterArrays(value);
    }

    @Override
    ClientUpdateManyOptions self() {
        return this;
    }
}
