package dev.semel.server;

import dev.semel.server.command.Answer;
import dev.semel.server.command.Client;
import dev.semel.server.command.Clients;
import dev.semel.server.command.Dispatcher;
import dev.semel.server.command.Request;
import dev.semel.wire.bson.RawDocument;

/** A connection inside the process: the same commands and replies as over a socket. Used by one thread at a time. */
public final class LocalConnection implements AutoCloseable {
    private final Clients clients;
    private final Client client;
    private final Dispatcher dispatcher;

    LocalConnection(Clients clients, Client.Origin origin, Dispatcher dispatcher) {
        this.clients = clients;
        this.client = clients.join("in-process", origin);
        this.dispatcher = dispatcher;
    }

    /** Runs a command and returns its reply. The command names its database in {@code $db}. */
    public RawDocument run(RawDocument command) {
        Answer answer = dispatcher.run(client, Request.of(command));
        // From here on it is the memory of the program that the server is a part of.
        answer.release();
        return answer.reply();
    }

    @Override
    public void close() {
        clients.left(client);
    }
}
