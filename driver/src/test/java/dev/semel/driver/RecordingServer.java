package dev.semel.driver;

import dev.semel.blackpipe.message.Request;
import dev.semel.blackpipe.script.Exchange;
import dev.semel.blackpipe.script.ScriptedServer;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** A scripted server that replies with what a function returns, and records what it receives. */
final class RecordingServer implements AutoCloseable {
    /** The reply to a command as JSON, or null to hang up. The count is of commands received before. */
    @FunctionalInterface
    interface Script {
        @Nullable
        String answer(BsonDocument command, int count) throws InterruptedException;
    }

    /** Sends the bytes of a reply. Replies to handshakes are sent whole. */
    @FunctionalInterface
    interface Delivery {
        void send(Exchange exchange, byte[] reply) throws InterruptedException;
    }

    /** A command, the number of the message it came in, and of the connection, counted from 1. */
    record Heard(int requestId, BsonDocument command, int connection) {}

    private final ScriptedServer server;
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final List<BsonDocument> hellos = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile IntFunction<@Nullable String> hello = connection -> "{}";
    private volatile Script script = (command, count) -> "{ok: 1}";
    private volatile Delivery delivery = Exchange::send;

    RecordingServer() throws IOException {
        server = ScriptedServer.start().everythingByHand().handingEveryRequestTo(this::handle);
    }

    /** The only member of a replica set, and its primary. */
    static RecordingServer primary() throws IOException {
        var server = new RecordingServer();
        server.greet(member(server, "isWritablePrimary: true", server));
        return server;
    }

    static RecordingServer router() throws IOException {
        var server = new RecordingServer();
        server.greet(common("msg: 'isdbgrid', logicalSessionTimeoutMinutes: 30, isWritablePrimary: true"));
        return server;
    }

    static String member(RecordingServer of, String role, RecordingServer... all) {
        var hosts = new StringBuilder();
        for (RecordingServer each : all) {
            hosts.append(hosts.isEmpty() ? "" : ", ")
                    .append("'")
                    .append(each.address())
                    .append("'");
        }
        return common("setName: 'rs', setVersion: 1, hosts: [" + hosts + "], me: '" + of.address()
                + "', logicalSessionTimeoutMinutes: 30, " + role);
    }

    static String common(String more) {
        return "{ok: 1, helloOk: true, minWireVersion: 0, maxWireVersion: 25, maxBsonObjectSize: 16777216,"
                + " maxMessageSizeBytes: 48000000, maxWriteBatchSize: 100000, " + more + "}";
    }

    void greet(String reply) {
        hello = connection -> reply;
    }

    /** Says on each connection something else, as servers behind a load balancer do; null hangs up. */
    void helloEach(IntFunction<@Nullable String> reply) {
        hello = reply;
    }

    void answer(Script by) {
        script = by;
    }

    void deliver(Delivery by) {
        delivery = by;
    }

    /** From now on, new connections read that many bytes and then no more. */
    void readOnly(int bytes) {
        server.readAtMost(bytes);
    }

    /** Waits until the server is closed, but not longer than this. */
    void pause(long ms) throws InterruptedException {
        if (end.await(ms, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("the server is closed");
        }
    }

    ServerAddress address() {
        return new ServerAddress(server.address());
    }

    String uri() {
        return "mongodb://" + address() + "/?serverMonitoringMode=poll&heartbeatFrequencyMS=10000";
    }

    /** How many have been made. */
    int connections() {
        return server.connections();
    }

    /** The handshakes and heartbeats. */
    List<BsonDocument> hellos() {
        return hellos;
    }

    List<Heard> heard() {
        return heard;
    }

    List<BsonDocument> commands(String name) {
        return heard.stream()
                .map(Heard::command)
                .filter(each -> each.getFirstKey().equals(name))
                .toList();
    }

    /**
     * The same, once there are so many. A client that does not wait for an answer, because it has given up or has one already,
     * may be done before the server has read its command.
     */
    List<BsonDocument> awaitCommands(String name, int count) {
        Await.until(() -> commands(name).size() >= count);
        return commands(name);
    }

    private void handle(Exchange exchange) {
        try {
            answer(exchange);
        } catch (InterruptedException e) {
            exchange.hangUp();
        }
    }

    private void answer(Exchange exchange) throws InterruptedException {
        Request request = exchange.request();
        BsonDocument command = Reply.decode(request.document(), new BsonDocumentCodec());
        if (request.isHello()) {
            hellos.add(command);
            send(exchange, hello.apply(request.connection()), Exchange::send);
            return;
        }
        int count = heard.size();
        heard.add(new Heard(request.frame().message().requestId(), command, request.connection()));
        send(exchange, request.name().equals("endSessions") ? "{ok: 1}" : script.answer(command, count), delivery);
    }

    private static void send(Exchange exchange, @Nullable String reply, Delivery by) throws InterruptedException {
        if (reply == null) {
            exchange.hangUp();
        } else if (exchange.request().isAnswered()) {
            by.send(exchange, exchange.encode(raw(BsonDocument.parse(reply))));
        }
    }

    private static RawDocument raw(BsonDocument document) {
        var bytes = new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return RawDocument.of(copy);
    }

    /** Nobody listens any more, and every connection is cut. */
    @Override
    public void close() {
        end.countDown();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
