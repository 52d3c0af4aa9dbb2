package dev.semel.spring;

import dev.semel.server.Server;

/** Where a context's server is. */
public final class SemelConnection {
    private static final String DATABASE = "test";

    private SemelConnection() {}

    /** With the database that applications use unless they name another. */
    public static String uri(Server server) {
        return server.connectionString().replace("/?", "/" + DATABASE + "?");
    }
}
