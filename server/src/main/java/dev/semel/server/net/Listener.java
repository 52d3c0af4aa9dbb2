package dev.semel.server.net;

import dev.semel.server.command.Client;
import dev.semel.server.command.Clients;
import dev.semel.server.command.Dispatcher;
import dev.semel.server.memory.ServerMemory;
import dev.semel.server.status.Counters;
import dev.semel.server.status.Log;
import dev.semel.server.tls.Tls;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.memory.MemoryPart;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The sockets that the server listens on, and the connections that came in by them. */
public final class Listener implements AutoCloseable {
    private static final int BACKLOG = 4096;

    /** How long the answers of running commands may take to leave when the server closes. */
    private static final Duration FAREWELL_MAX = Duration.ofSeconds(5);

    private final @Nullable Tls tls;
    private final Dispatcher dispatcher;
    private final Clients clients;
    private final Counters counters;
    private final Log log;
    private final LongSupplier connectionsMax;
    private final Deaths deaths;
    private final ServerMemory memory;
    private final LongSupplier nanoTime;

    /** For one large request at a time. */
    private final Semaphore beyondRequests = new Semaphore(1);

    private final List<ServerSocket> sockets = new ArrayList<>();
    private final List<Thread> acceptors = new ArrayList<>();
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final EventLoops loops;
    private final Connection.Host hosting = new Hosting();
    private volatile boolean isClosed;

    private Listener(
            @Nullable Tls tls,
            Dispatcher dispatcher,
            Clients clients,
            Counters counters,
            Log log,
            LongSupplier connectionsMax,
            Deaths deaths,
            ServerMemory memory,
            LongSupplier nanoTime) {
        this.tls = tls;
        this.dispatcher = dispatcher;
        this.clients = clients;
        this.counters = counters;
        this.log = log;
        this.connectionsMax = connectionsMax;
        this.deaths = deaths;
        this.memory = memory;
        this.nanoTime = nanoTime;
        this.loops = new EventLoops(dispatcher, new Processors(), deaths.ofListeners(), nanoTime);
    }

    /** Notified of threads that ended by an exception. */
    public record Deaths(Thread.UncaughtExceptionHandler ofListeners, Thread.UncaughtExceptionHandler ofConnections) {}

    /** Sockets that are bound, so that the port is known, and not yet served. */
    public record Bound(List<ServerSocket> sockets, int port) {
        /** Binds each address to the port; 0 takes a free one, the same for all. */
        public static Bound to(List<String> addresses, int port) throws IOException {
            List<ServerSocket> sockets = new ArrayList<>();
            int chosen = port;
            try {
                for (String name : addresses) {
                    for (InetAddress address : InetAddress.getAllByName(name)) {
                        chosen = bind(address, chosen, sockets);
                    }
                }
            } catch (IOException e) {
                for (ServerSocket each : sockets) {
                    each.close();
                }
                throw e;
            }
            return new Bound(sockets, chosen);
        }

        private static int bind(InetAddress address, int port, List<ServerSocket> sockets) throws IOException {
            // Its sockets have channels, as loops need them.
            ServerSocket socket = ServerSocketChannel.open().socket();
            // Connections of a server that has just stopped must not keep its port.
            socket.setReuseAddress(true);
            try {
                socket.bind(new InetSocketAddress(address, port), BACKLOG);
            } catch (SocketException e) {
                socket.close();
                if (!sockets.isEmpty() && address instanceof Inet6Address) {
                    // localhost has an IPv6 address in the hosts file of machines that do not speak IPv6.
                    return port;
                }
                BindException clear = new BindException(
                        "cannot listen on " + address.getHostAddress() + ":" + port + ": " + e.getMessage());
                clear.initCause(e);
                throw clear;
            }
            sockets.add(socket);
            return socket.getLocalPort();
        }

        public void close() throws IOException {
            for (ServerSocket each : sockets) {
                each.close();
            }
        }
    }

    /** Starts to accept connections; without TLS if there is none. */
    public static Listener start(
            Bound bound,
            @Nullable Tls tls,
            Dispatcher dispatcher,
            Clients clients,
            Counters counters,
            Log log,
            LongSupplier connectionsMax,
            Deaths deaths,
            ServerMemory memory,
            LongSupplier nanoTime) {
        Listener listener =
                new Listener(tls, dispatcher, clients, counters, log, connectionsMax, deaths, memory, nanoTime);
        for (ServerSocket socket : bound.sockets()) {
            listener.sockets.add(socket);
            listener.acceptors.add(Thread.ofVirtual()
                    .name("listener")
                    .uncaughtExceptionHandler(deaths.ofListeners())
                    .start(() -> listener.accept(socket)));
        }
        return listener;
    }

    private void accept(ServerSocket socket) {
        while (!isClosed) {
            try {
                greet(socket.accept());
            } catch (IOException e) {
                if (!isClosed) {
                    // Too many open files, most likely: others still work, and this passes.
                    log.warning(
                            Log.Component.NETWORK,
                            "listener",
                            "Accepting a connection failed",
                            new BsonWriter()
                                    .put("error", String.valueOf(e.getMessage()))
                                    .finish());
                    LockSupport.parkNanos(this, 10_000_000);
                }
            }
        }
    }

    private void greet(Socket socket) throws IOException {
        if (connections.size() >= connectionsMax.getAsLong()) {
            counters.connectionsRejected.increment();
            log.info(
                    Log.Component.NETWORK,
                    "listener",
                    "Connection refused because there are too many",
                    new BsonWriter().put("connectionCount", connections.size()).finish());
            socket.close();
            return;
        }
        counters.connectionsCreated.increment();
        Client client = clients.join(
                address(socket.getRemoteSocketAddress()),
                socket.getInetAddress().isLoopbackAddress() ? Client.Origin.MACHINE : Client.Origin.NETWORK);
        logConnection("Connection accepted", client);
        Connection connection = new Connection(
                socket, tls, client, dispatcher, counters, log, memory.requests(), beyondRequests, nanoTime, hosting);
        hosting.run(connection);
        if (isClosed) {
            connection.close();
        }
    }

    private final class Hosting implements Connection.Host {
        @Override
        public @Nullable EventLoop loop() {
            return loops.choose();
        }

        @Override
        public void run(Connection connection) {
            Thread thread = Thread.ofVirtual()
                    .name(connection.client().description())
                    .uncaughtExceptionHandler(deaths.ofConnections())
                    .unstarted(connection);
            connections.add(connection);
            thread.start();
        }

        @Override
        public void failed(Throwable defect) {
            deaths.ofConnections().uncaughtException(Thread.currentThread(), defect);
        }

        @Override
        public void ended(Connection connection) {
            clients.left(connection.client());
            connections.remove(connection);
            logConnection("Connection ended", connection.client());
        }
    }

    private void logConnection(String message, Client client) {
        log.debug(
                Log.Component.NETWORK,
                client.description(),
                message,
                new BsonWriter()
                        .put("remote", client.remote())
                        .put("connectionCount", clients.count())
                        .finish());
    }

    private static String address(SocketAddress address) {
        if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
            String host = inet.getAddress().getHostAddress();
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + inet.getPort();
        }
        return String.valueOf(address);
    }

    /** From time to time, by one thread: stops commands whose clients have gone. */
    public void lookAtClients() {
        for (Connection each : connections) {
            // Looking takes a millisecond of waiting, which thousands must not take one after the other.
            if (each.isLongWaitedFor()) {
                Thread.ofVirtual()
                        .name("look")
                        .uncaughtExceptionHandler(deaths.ofConnections())
                        .start(each::look);
            }
        }
        long arrivalNanosMax = patience(memory.requests(), memory.requestArrivalMs());
        long stallNanosMax = patience(memory.replies(), memory.replyStallMs());
        if (Math.min(arrivalNanosMax, stallNanosMax) < Long.MAX_VALUE) {
            connections.forEach(each -> each.endIfStalled(arrivalNanosMax, stallNanosMax));
        }
    }

    /** As long as there is plenty of memory, no client is disconnected for being slow. */
    private static long patience(MemoryPart part, LongSupplier milliseconds) {
        return part.bytes() > part.bytesMax() / 2
                ? TimeUnit.MILLISECONDS.toNanos(milliseconds.getAsLong())
                : Long.MAX_VALUE;
    }

    /** Accepts no connections any more. */
    public void stopAccepting() {
        isClosed = true;
        for (ServerSocket each : sockets) {
            try {
                each.close();
            } catch (IOException e) {
                log.error(Log.Component.NETWORK, "listener", "Closing a listening socket failed", e);
            }
        }
    }

    /** Ends all connections; those with a command running after its answer has left, within limits. */
    @Override
    public void close() {
        stopAccepting();
        boolean interrupted = false;
        // First: one that has just accepted a connection has not started its thread yet.
        for (Thread each : acceptors) {
            interrupted |= !join(each, FAREWELL_MAX.toMillis());
        }
        connections.forEach(Connection::closeWhenIdle);
        long patienceMs = FAREWELL_MAX.toMillis();
        for (Connection each : List.copyOf(connections)) {
            try {
                interrupted |= !awaitEnd(each, patienceMs);
            } finally {
                each.close();
            }
            // One slow client does not earn the next one less, but all together must not hold up the end for long.
            patienceMs = Math.max(10, patienceMs / 2);
        }
        for (Connection each : List.copyOf(connections)) {
            interrupted |= !awaitEnd(each, FAREWELL_MAX.toMillis());
        }
        loops.close();
        for (Thread each : loops.threads()) {
            interrupted |= !join(each, FAREWELL_MAX.toMillis());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** False if we were interrupted meanwhile. */
    private static boolean join(Thread thread, long patienceMs) {
        try {
            thread.join(Duration.ofMillis(patienceMs));
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private static boolean awaitEnd(Connection connection, long patienceMs) {
        try {
            connection.awaitEnd(patienceMs);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
