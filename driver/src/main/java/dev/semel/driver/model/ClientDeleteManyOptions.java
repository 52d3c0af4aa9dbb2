package dev.semel.driver.model;

/** Options of a {@code deleteMany} in a client's {@code bulkWrite}. */
public final class ClientDeleteManyOptions extends ClientStatementOptions<ClientDeleteManyOptions> {
    public static ClientDeleteManyOptions clientDeleteManyOptions() {
        return new ClientDeleteManyOptions();
    }

    @Override
    ClientDeleteManyOptions self() {
        return this;
    }
}
