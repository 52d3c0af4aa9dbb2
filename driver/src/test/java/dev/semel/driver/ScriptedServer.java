package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** A server that says what a test wants it to say; it keeps every command that is not a greeting. */
final class ScriptedServer implements AutoCloseable {
    /** What is answered to a command: a document, or null to hang up. The count is of commands heard before. */
    @FunctionalInterface
    interface Script {
        @Nullable
        String answer(BsonDocument command, int count) throws InterruptedException;
    }

    /** A command, the number of the message it came in, and of the connection, counted from 1. */
    record Heard(int requestId, BsonDocument command, int connection) {}

    private static final Set<String> GREETINGS = Set.of("hello", "isMaster", "ismaster");

    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final List<BsonDocument> greetings = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile IntFunction<@Nullable String> hello = connection -> "{}";
    private volatile Script script = (command, count) -> "{ok: 1}";
    private volatile Delivery delivery = OutputStream::write;
    private volatile int readableBytes = Integer.MAX_VALUE;
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean isClosed;

    /** How the bytes of an answer, not of a greeting, are sent. */
    @FunctionalInterface
    interface Delivery {
        void send(OutputStream out, byte[] reply) throws IOException, InterruptedException;
    }

    ScriptedServer() throws IOException {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** The only member of a replica set, and its primary. */
    static ScriptedServer primary() throws IOException {
        var server = new ScriptedServer();
        server.greet(member(server, "isWritablePrimary: true", server));
        return server;
    }

    static ScriptedServer router() throws IOException {
        var server = new ScriptedServer();
        server.greet(common("msg: 'isdbgrid', logicalSessionTimeoutMinutes: 30, isWritablePrimary: true"));
        return server;
    }

    static String member(ScriptedServer of, String role, ScriptedServer... all) {
        var hosts = new StringBuilder();
        for (ScriptedServer each : all) {
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
    void greetEach(IntFunction<@Nullable String> reply) {
        hello = reply;
    }

    /** How many have been made. */
    int connections() {
        return connections.get();
    }

    void answer(Script by) {
        script = by;
    }

    void deliver(Delivery by) {
        delivery = by;
    }

    /** From now on, connections are made that read so many bytes and then no more. */
    void readOnly(int bytes) {
        readableBytes = bytes;
    }

    /** Waits until the server is closed, but not longer than this. */
    void pause(long ms) throws InterruptedException {
        if (end.await(ms, TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("the server is closed");
        }
    }

    ServerAddress address() {
        return new ServerAddress("127.0.0.1", listener.getLocalPort());
    }

    String uri() {
        return "mongodb://" + address() + "/?serverMonitoringMode=poll&heartbeatFrequencyMS=10000";
    }

    /** The first words on each connection. */
    List<BsonDocument> greetings() {
        return greetings;
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

    private void accept() {
        while (!isClosed) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                int number = connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket, number));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket, int connection) {
        try (socket) {
            var reader = new MessageReader(new Tiring(socket.getInputStream(), readableBytes));
            OutputStream out = socket.getOutputStream();
            for (var frame = reader.read(); frame != null; frame = reader.read()) {
                int before = heard.size();
                byte[] reply = reply(frame.message(), connection);
                if (reply == null) {
                    return;
                }
                if (heard.size() == before) {
                    out.write(reply);
                } else {
                    delivery.send(out, reply);
                }
            }
        } catch (IOException | InterruptedException e) {
            // The client has gone.
        } finally {
            open.remove(socket);
        }
    }

    /** Stops after so many bytes. */
    private final class Tiring extends FilterInputStream {
        private int left;

        Tiring(InputStream in, int bytes) {
            super(in);
            left = bytes;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (left <= 0) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            int read = super.read(into, offset, Math.max(1, Math.min(length, left)));
            left -= Math.max(read, 0);
            return read;
        }
    }

    private byte @Nullable [] reply(Message message, int connection) {
        if (message instanceof Message.OpQuery query) {
            greetings.add(Reply.decode(query.query(), new BsonDocumentCodec()));
            RawDocument reply = hello(connection);
            return reply == null ? null : MessageWriter.encode(new Message.OpReply(1, query.requestId(), 0, reply));
        }
        var request = (Message.OpMsg) message;
        BsonDocument command = Reply.decode(request.body(), new BsonDocumentCodec());
        request.sequences().forEach(each -> {
            var documents = new BsonArray();
            each.documents().forEach(one -> documents.add(Reply.decode(one, new BsonDocumentCodec())));
            command.append(each.name(), documents);
        });
        if (GREETINGS.contains(command.getFirstKey())) {
            greetings.add(command);
            RawDocument reply = hello(connection);
            return reply == null ? null : MessageWriter.encode(Message.OpMsg.of(1, request.requestId(), reply));
        }
        int count = heard.size();
        heard.add(new Heard(request.requestId(), command, connection));
        if (command.getFirstKey().equals("endSessions")) {
            return MessageWriter.encode(Message.OpMsg.of(1, request.requestId(), raw(BsonDocument.parse("{ok: 1}"))));
        }
        String answer;
        try {
            answer = script.answer(command, count);
        } catch (InterruptedException e) {
            return null;
        }
        return answer == null
                ? null
                : MessageWriter.encode(Message.OpMsg.of(1, request.requestId(), raw(BsonDocument.parse(answer))));
    }

    private @Nullable RawDocument hello(int connection) {
        String reply = hello.apply(connection);
        return reply == null ? null : raw(BsonDocument.parse(reply));
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
        isClosed = true;
        end.countDown();
        try {
            listener.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
