package dev.semel.driver.model;

/** Options of a {@code deleteOne} in a client's {@code bulkWrite}. */
public final class ClientDeleteOneOptions extends ClientStatementOptions<ClientDeleteOneOptions> {
    public static ClientDeleteOneOptions clientDeleteOneOptions() {
        return new ClientDeleteOneOptions();
    }

    @Override
    ClientDeleteOneOptions self() {
        return this;
    }
}
