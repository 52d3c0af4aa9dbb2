package dev.semel.driver.model;

/** How a bulk write of a client deletes all documents that match. */
public final class ClientDeleteManyOptions extends ClientStatementOptions<ClientDeleteManyOptions> {
    public static ClientDeleteManyOptions clientDeleteManyOptions() {
        return new ClientDeleteManyOptions();
    }

    @Override
    ClientDeleteManyOptions self() {
        return this;
    }
}
