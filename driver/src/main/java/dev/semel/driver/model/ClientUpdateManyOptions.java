package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of an {@code updateMany} in a client's {@code bulkWrite}. */
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
