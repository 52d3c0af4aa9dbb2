package dev.semel.driver.model;

/** How a bulk write of a client deletes one document. */
public final class ClientDeleteOneOptions extends ClientStatementOptions<ClientDeleteOneOptions> {
    public static ClientDeleteOneOptions clientDeleteOneOptions() {
        return new ClientDeleteOneOptions();
    }

    @Override
    ClientDeleteOneOptions self() {
        return this;
    }
}
