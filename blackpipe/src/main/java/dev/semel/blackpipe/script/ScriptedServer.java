package dev.semel.blackpipe.script;

import dev.semel.blackpipe.message.Match;
import dev.semel.blackpipe.message.Replies;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A server whose replies come from the test. Handshakes and heartbeats are answered automatically; every other request
 * waits for the test, in order of arrival:
 *
 * <pre>{@code
 * try (var server = ScriptedServer.start(); var client = MongoClients.create(server.uri())) {
 *     var insert = Pending.of(() -> client.getDatabase("db").getCollection("c").insertOne(document));
 *     server.receives(command("insert").on("db.c")).hangUp();
 *     server.receives(command("insert").on("db.c")).reply("{\"ok\": 1, \"n\": 1}");
 *     insert.result();
 * }
 * }</pre>
 *
 * <p>Nothing here waits longer than its deadline, so a test that goes wrong fails and does not hang.
 */
public final class ScriptedServer implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /**
     * A failure of an operation that comes just as a driver's monitor begins to wait for news does not always end that wait;
     * the retry then comes with the next heartbeat, which by default is as late as the deadline.
     */
    static final String HEARTBEAT = "heartbeatFrequencyMS=500";

    private record Responder(Match match, Function<Request, RawDocument> reply) {}

    private final ServerSocket listening;
    private final Thread acceptor;
    private final Duration deadline;
    private final Announcement announcement;
    private final HelloResponder hellos;
    private final LinkedBlockingQueue<Exchange> waiting = new LinkedBlockingQueue<>();
    private final CopyOnWriteArrayList<Responder> responders = new CopyOnWriteArrayList<>();
    private final Collection<ScriptedConnection> open = ConcurrentHashMap.newKeySet();
    private final ConcurrentSkipListMap<String, AtomicInteger> answered = new ConcurrentSkipListMap<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean answersHello = true;
    private volatile int readableBytes = Integer.MAX_VALUE;
    private volatile Consumer<Exchange> script = waiting::add;

    private ScriptedServer(ServerSocket listening, Duration deadline, InstantSource clock) {
        this.listening = listening;
        this.acceptor = Thread.ofVirtual().name("scripted-server").unstarted(this::accept);
        this.deadline = deadline;
        this.announcement = new Announcement(Identity.onlyMember(addressOf(listening)));
        this.hellos = new HelloResponder(
                announcement, new ObjectId((int) clock.instant().getEpochSecond(), listening.getLocalPort()), clock);
        responders.add(new Responder(Match.command("ping", "endSessions"), request -> Replies.ok()));
    }

    /** The primary and only member of the set {@code rs0}, on a free port of this machine. */
    public static ScriptedServer start() throws IOException {
        return start(DEADLINE);
    }

    /** With another deadline for every wait. */
    public static ScriptedServer start(Duration deadline) throws IOException {
        return start(0, deadline);
    }

    /** On this port. */
    public static ScriptedServer start(int port) throws IOException {
        return start(port, DEADLINE);
    }

    private static ScriptedServer start(int port, Duration deadline) throws IOException {
        ServerSocket listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        ScriptedServer server = new ScriptedServer(listening, deadline, InstantSource.system());
        server.acceptor.start();
        return server;
    }

    public String uri() {
        String set = identity().setName();
        return "mongodb://" + address() + "/?" + (set == null ? "" : "replicaSet=" + set + "&") + HEARTBEAT;
    }

    /** As {@code host:port}. */
    public String address() {
        return addressOf(listening);
    }

    /** The current {@code hello} description. */
    public Identity identity() {
        return announcement.now().identity();
    }

    /** Sends this description from now on; waiting monitors are notified at once. */
    public ScriptedServer announce(Identity identity) {
        announcement.change(identity);
        return this;
    }

    /** From now on the test answers handshakes and heartbeats too. */
    public ScriptedServer handshakesByHand() {
        answersHello = false;
        return this;
    }

    /** From now on the test answers every request: not only handshakes, but also {@code ping} and {@code endSessions}. */
    public ScriptedServer everythingByHand() {
        responders.clear();
        return handshakesByHand();
    }

    /** Connections made from now on are read up to this many bytes and no further, as by a server that hangs. */
    public ScriptedServer readAtMost(int bytes) {
        readableBytes = bytes;
        return this;
    }

    /**
     * Answers such requests from now on without asking the test. A later responder takes precedence over an earlier
     * one.
     */
    public ScriptedServer always(Match match, Function<Request, RawDocument> reply) {
        responders.addFirst(new Responder(match, reply));
        return this;
    }

    /** From now on this handler replies instead of the test, on the connection's thread. */
    public ScriptedServer handingEveryRequestTo(Consumer<Exchange> other) {
        script = other;
        return this;
    }

    // ---- what the test waits for

    /** The next request; fails if it does not match. */
    public Exchange receives(Match expected) {
        Exchange next = poll(deadline);
        if (next == null) {
            throw new AssertionError("expected %s, but nothing came within %d ms%n%s"
                    .formatted(expected, deadline.toMillis(), situation()));
        }
        if (!expected.test(next.request())) {
            throw new AssertionError(
                    "expected %s, but received %s%n%s".formatted(expected, next.request(), situation()));
        }
        return next;
    }

    /** Fails if a request comes within this time, or has come already. */
    public void receivesNothing(Duration time) {
        Exchange next = poll(time);
        if (next != null) {
            throw new AssertionError("expected no request, but received %s%n%s".formatted(next.request(), situation()));
        }
    }

    private @Nullable Exchange poll(Duration time) {
        try {
            return waiting.poll(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a request", e);
        }
    }

    /** The rest of what a failed expectation needs to be understood. */
    private String situation() {
        return "  %s: %d connections so far, %d open; answered by itself: %s; still waiting: %s"
                .formatted(
                        address(),
                        connections.get(),
                        open.size(),
                        answered,
                        waiting.stream().map(each -> each.request().name()).toList());
    }

    /** How many connections clients have made. */
    public int connections() {
        return connections.get();
    }

    /** Closes all connections, as a server does that crashes. */
    public void hangUpOnAll() {
        List.copyOf(open).forEach(ScriptedConnection::close);
    }

    // ---- behind the scenes

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                socket.setTcpNoDelay(true);
                ScriptedConnection connection =
                        new ScriptedConnection(connections.incrementAndGet(), socket, readableBytes);
                open.add(connection);
                Thread.ofVirtual().name("scripted-connection").start(() -> {
                    connection.serve(this::handle);
                    open.remove(connection);
                });
            } catch (IOException e) {
                // Closed, or a client that left before it was let in.
            }
        }
    }

    private void handle(Request request, ScriptedConnection connection) throws InterruptedException {
        if (answersHello && request.isHello()) {
            count(request);
            hellos.answer(request, connection);
            return;
        }
        for (Responder each : responders) {
            if (each.match().test(request)) {
                count(request);
                if (request.isAnswered()) {
                    connection.send(connection.frame(request, 0, each.reply().apply(request)));
                }
                return;
            }
        }
        script.accept(new Exchange(request, connection));
    }

    private void count(Request request) {
        answered.computeIfAbsent(request.name(), name -> new AtomicInteger()).incrementAndGet();
    }

    private static String addressOf(ServerSocket socket) {
        return socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort();
    }

    /** Closes the port and all connections; another server can have the port afterwards. */
    @Override
    public void close() throws IOException {
        listening.close();
        try {
            // Until then the closed socket keeps its port.
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        hangUpOnAll();
        announcement.change(identity());
    }
}
