package dev.semel.server;

import dev.semel.server.auth.UserName;
import dev.semel.server.command.Client;
import dev.semel.server.command.CommandTable;
import dev.semel.server.net.Listener;
import dev.semel.server.replica.Expansion;
import dev.semel.server.replica.Replication;
import dev.semel.server.status.Log;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A running database server. When {@link #close} returns, it has released all its threads, files and ports. */
public final class Server implements AutoCloseable {
    private final ServerOptions options;
    private final Wiring parts;
    private final @Nullable Listener listener;
    private final Housekeeping housekeeping;
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Returns when the server accepts commands. An {@link IOException} says why it cannot listen or open its data. */
    public static Server start(ServerOptions options) throws IOException {
        return start(options, Foundation.USUAL);
    }

    /** The same as a member of a replica set whose other members have the data too. */
    @SuppressWarnings("exports")
    public static Server start(ServerOptions options, Replication replication) throws IOException {
        return start(options, new Foundation(null, replication));
    }

    /** The same as the only member of a replica set, which can become one of several. */
    @SuppressWarnings("exports")
    public static Server start(ServerOptions options, Expansion expansion) throws IOException {
        return start(options, new Foundation(null, null, expansion));
    }

    /** On other parts than the usual ones. */
    static Server start(ServerOptions options, Foundation foundation) throws IOException {
        // The port first: a server that finds it in use has not touched the data.
        Listener.Bound bound = Listener.Bound.to(options.addresses(), options.port());
        try {
            return new Server(options, bound, foundation);
        } catch (RuntimeException | IOException e) {
            bound.close();
            throw e;
        }
    }

    private Server(ServerOptions options, Listener.Bound bound, Foundation foundation) throws IOException {
        this.options = options;
        AnnouncedAddress announced = AnnouncedAddress.of(
                options.advertised(), bound, options.security().tls());
        parts = new Wiring(options, announced.hostAndPort(), foundation, this::fatal, this::shutDown);
        startParts();
        listener = bound.sockets().isEmpty() ? null : listen(bound);
        housekeeping = new Housekeeping(parts, listener);
        new StartupLog(options, parts).write(announced, bound);
    }

    /** What is open is closed again if it fails. */
    private void startParts() throws IOException {
        try {
            parts.start();
            if (parts.replicaSet.isWritablePrimary()) {
                options.security().users().forEach(this::ensure);
            }
        } catch (IOException | RuntimeException e) {
            parts.close();
            throw e;
        }
    }

    private Listener listen(Listener.Bound bound) {
        return Listener.start(
                bound,
                options.security().tls(),
                parts.dispatcher,
                parts.clients,
                parts.counters,
                parts.log,
                parts.tuning::connectionsMax,
                parts.fatalErrors.deaths(),
                parts.memory,
                parts.nanoTime);
    }

    private void ensure(Security.NewUser user) {
        if (parts.users.find(new UserName(user.name(), "admin")) != null) {
            return;
        }
        BsonWriter command = new BsonWriter().put("createUser", user.name()).put("pwd", user.password());
        command.startArray("roles");
        user.roles().forEach(command::add);
        RawDocument create = command.end().put("$db", "admin").finish();
        try (LocalConnection connection = connect()) {
            RawDocument reply = connection.run(create);
            if (reply.get("errmsg") instanceof Value.Str(var why)) {
                throw new CommandException(ErrorCode.BadValue, "the user '%s' cannot be made: %s", user.name(), why);
            }
        }
    }

    // ---- for programs that embed it

    /** The connection string for any MongoDB driver. */
    public String connectionString() {
        List<String> settings = new ArrayList<>();
        String name = parts.replicaSet.name();
        if (name != null) {
            settings.add("replicaSet=" + name);
        }
        if (options.security().tls() != null) {
            settings.add("tls=true");
        }
        return "mongodb://" + parts.address + "/" + (settings.isEmpty() ? "" : "?" + String.join("&", settings));
    }

    /** Whether clients can write here. */
    public boolean isWritablePrimary() {
        return parts.replicaSet.isWritablePrimary();
    }

    /** {@code host:port}, as reported to clients. */
    public String address() {
        return parts.address;
    }

    /**
     * A connection inside this process, with all privileges: access control does not apply to the embedding
     * application.
     */
    public LocalConnection connect() {
        return new LocalConnection(parts.clients, Client.Origin.PROCESS, parts.dispatcher);
    }

    /** The commands that clients can run. */
    CommandTable commands() {
        return parts.dispatcher.commands();
    }

    /** The same, but with access control as for a client on this machine. */
    LocalConnection connectAsClient() {
        return new LocalConnection(parts.clients, Client.Origin.MACHINE, parts.dispatcher);
    }

    /** Returns when the server has stopped, by {@link #close} or by a client's {@code shutdown}. */
    public void awaitEnd() throws InterruptedException {
        closed.await();
    }

    // ---- the end

    private void shutDown() {
        parts.log.info(Log.Component.CONTROL, "main", "A client shuts the server down", RawDocument.EMPTY);
        closeSoon();
    }

    private void closeSoon() {
        Thread.ofPlatform().name("semel-shutdown").start(this::close);
    }

    private void fatal(Throwable cause) {
        var told = options.fatal();
        if (told == null) {
            closeSoon();
        } else {
            told.accept(cause);
        }
    }

    /**
     * Lets another member of the set take over if this one is the primary; then lets running commands end, notifies their
     * clients, and completes the commits. A second call waits for the first.
     */
    @Override
    public void close() {
        if (!isClosing.compareAndSet(false, true)) {
            Uninterrupted.await(closed::await);
            return;
        }
        try (parts) {
            parts.stepAside();
            if (listener != null) {
                listener.stopAccepting();
            }
            parts.dispatcher.close();
            if (listener != null) {
                listener.close();
            }
            housekeeping.close();
        } finally {
            closed.countDown();
        }
    }
}
