package dev.semel.server.net;

import dev.semel.server.command.Answer;
import dev.semel.server.command.Arguments.Sequences;
import dev.semel.server.command.Call;
import dev.semel.server.command.Client;
import dev.semel.server.command.Dispatcher;
import dev.semel.server.command.Request;
import dev.semel.server.status.Counters;
import dev.semel.server.status.Log;
import dev.semel.server.tls.Tls;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.MalformedMessage;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.Message.OpQuery;
import dev.semel.wire.message.Message.OpReply;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import dev.semel.wire.message.RefusedMessage;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** One client's connection: reads a request, runs it, writes the answer, until either side has had enough. */
final class Connection implements Runnable {
    /** For each wait during the handshake of TLS. */
    private static final int TLS_HANDSHAKE_MAX_MS = 10_000;

    /** Java's drivers up to 3.12, and others of that age, ask for the version and log in before they use OP_MSG. */
    private static final Set<String> BEFORE_OP_MSG = Set.of(
            "hello",
            "isMaster",
            "ismaster",
            "_isSelf",
            "buildInfo",
            "buildinfo",
            "authenticate",
            "saslStart",
            "saslContinue");

    private final Socket socket;
    private final @Nullable Tls tls;
    private final Client client;
    private final Dispatcher dispatcher;
    private final Counters counters;
    private final Log log;
    private final Consumer<Connection> ended;
    private final LongSupplier nanoTime;
    private final RequestMemory memory;
    private volatile @Nullable CountedOutput output;
    private volatile @Nullable ClientInput input;
    private volatile boolean isClosing;
    private volatile boolean isBusy;

    /** The request at work, if it is one whose client waits for the answer; 0 if not. */
    private volatile int waitedFor;

    /** What {@link #isLongWaitedFor} found the last time. */
    private int seenWaitedFor;

    /** Our messages' numbers; only their being different matters. */
    private int lastRequestId;

    private int lastWaitedFor;

    Connection(
            Socket socket,
            @Nullable Tls tls,
            Client client,
            Dispatcher dispatcher,
            Counters counters,
            Log log,
            MemoryPart requests,
            Semaphore beyondRequests,
            LongSupplier nanoTime,
            Consumer<Connection> ended) {
        this.socket = socket;
        this.tls = tls;
        this.client = client;
        this.dispatcher = dispatcher;
        this.counters = counters;
        this.log = log;
        this.ended = ended;
        this.nanoTime = nanoTime;
        this.memory = new RequestMemory(requests, beyondRequests, () -> isClosing, nanoTime);
    }

    @Override
    public void run() {
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            Tls.Opened opened = open();
            client.certificateSubject(opened.subject());
            try (Socket way = opened.socket()) {
                ClientInput in = new ClientInput(way, opened.in(), counters.bytesIn);
                input = in;
                CountedOutput out = new CountedOutput(way.getOutputStream(), counters.bytesOut, nanoTime);
                output = out;
                serve(new MessageReader(in, memory), new MessageWriter(out));
            }
        } catch (MalformedMessage e) {
            logRefusal("Closing a connection that does not speak the protocol", e);
        } catch (Tls.Mismatch e) {
            log.info(
                    Log.Component.NETWORK,
                    client.description(),
                    String.valueOf(e.getMessage()),
                    new BsonWriter().put("remote", client.remote()).finish());
        } catch (SSLException e) {
            logRefusal("Closing a connection because TLS failed", e);
        } catch (IOException e) {
            // The client has gone, or we are closing: the ordinary ends of a connection.
            log.debug(
                    Log.Component.NETWORK,
                    client.description(),
                    "Connection broken",
                    new BsonWriter()
                            .put("error", String.valueOf(e.getMessage()))
                            .finish());
        } finally {
            ended.accept(this);
        }
    }

    private void logRefusal(String message, IOException cause) {
        log.info(
                Log.Component.NETWORK,
                client.description(),
                message,
                new BsonWriter()
                        .put("remote", client.remote())
                        .put("error", reason(cause))
                        .finish());
    }

    /** Of a client that ends the handshake the JDK says no more than that there was an exception. */
    private static String reason(IOException failure) {
        return failure.getCause() instanceof SocketException ended
                ? "the client closed the connection, perhaps because it does not trust the certificate: "
                        + ended.getMessage()
                : String.valueOf(failure.getMessage());
    }

    /** A client that does not complete the TLS handshake must not hold a connection for ever. */
    private Tls.Opened open() throws IOException {
        if (tls == null) {
            return Tls.unencrypted(socket);
        }
        socket.setSoTimeout(TLS_HANDSHAKE_MAX_MS);
        Tls.Opened opened = tls.open(socket);
        socket.setSoTimeout(0);
        return opened;
    }

    private void serve(MessageReader reader, MessageWriter writer) throws IOException {
        try {
            serveAll(reader, writer);
        } finally {
            reader.release();
        }
    }

    private void serveAll(MessageReader reader, MessageWriter writer) throws IOException {
        boolean goesOn = true;
        while (goesOn && !isClosing) {
            Frame frame;
            try {
                frame = reader.read();
            } catch (RefusedMessage e) {
                counters.requests.increment();
                if (e.answered()) {
                    int id = ++lastRequestId;
                    writer.write(
                            e.isLegacy()
                                    ? OpReply.failure(id, e.requestId(), e.reason())
                                    : OpMsg.of(id, e.requestId(), Dispatcher.error(e.reason())),
                            Compressor.NONE);
                }
                goesOn = !e.closes();
                continue;
            }
            isBusy = true;
            goesOn = frame != null && answer(frame, writer);
            isBusy = false;
        }
    }

    private boolean answer(Frame frame, MessageWriter writer) throws IOException {
        return switch (frame.message()) {
            case OpMsg message -> answer(message, frame.compressor(), writer);
            case OpQuery query -> answer(query, frame.compressor(), writer);
            case OpReply reply -> throw new IOException("a client sent a reply");
        };
    }

    // ---- OP_MSG

    private boolean answer(OpMsg message, Compressor asked, MessageWriter writer) throws IOException {
        Request request = new Request(message.body(), sequences(message), null, message.exhaustAllowed());
        int responseTo = message.requestId();
        // What is streamed finds out by itself that the client has disconnected.
        waitedFor = message.exhaustAllowed() ? 0 : ++lastWaitedFor;
        while (true) {
            Answer answer = dispatcher.run(client, request);
            waitedFor = 0;
            RawDocument next = answer.next();
            int id = ++lastRequestId;
            try {
                if (answer.closesConnection()) {
                    return false;
                }
                if (message.moreToCome()) {
                    // The client does not wait for an answer and would take one for that of its next request.
                    return answer.goesOn();
                }
                int flags = (next == null ? 0 : OpMsg.MORE_TO_COME) | (message.flags() & OpMsg.CHECKSUM_PRESENT);
                OpMsg reply = new OpMsg(id, responseTo, flags, answer.reply(), List.of());
                writer.write(reply, packing(message.body(), asked));
            } finally {
                answer.release();
            }
            if (!answer.goesOn()) {
                return false;
            }
            if (next == null) {
                return true;
            }
            if (isClosing) {
                return false;
            }
            responseTo = id;
            request = new Request(next, Sequences.NONE, null, true);
        }
    }

    private static Sequences sequences(OpMsg message) {
        return message.sequences().isEmpty() ? Sequences.NONE : new MessageSequences(message);
    }

    private static Compressor packing(RawDocument body, Compressor asked) {
        if (asked == Compressor.NONE) {
            return asked;
        }
        var first = body.cursor();
        return first.next() && Compressor.mayCompress(first.name()) ? asked : Compressor.NONE;
    }

    // ---- OP_QUERY, for what drivers send before they know the server's version

    private boolean answer(OpQuery query, Compressor asked, MessageWriter writer) throws IOException {
        if (!query.collection().endsWith(".$cmd")) {
            counters.requests.increment();
            CommandException reason = Message.unsupported("OP_QUERY");
            writer.write(OpReply.failure(++lastRequestId, query.requestId(), reason), Compressor.NONE);
            return true;
        }
        RawDocument command = unwrapped(query.query());
        String name = name(command);
        Answer answer;
        if (BEFORE_OP_MSG.contains(name)) {
            String database = query.collection().substring(0, query.collection().length() - ".$cmd".length());
            Request request = new Request(command, Sequences.NONE, database, false);
            answer = dispatcher.run(client, request);
        } else {
            counters.requests.increment();
            answer = Answer.of(new CommandException(
                    ErrorCode.UnsupportedOpQueryCommand,
                    "Unsupported OP_QUERY command: %s. The client driver may require an upgrade. For more details see"
                            + " https://dochub.mongodb.org/core/legacy-opcode-removal",
                    name));
        }
        if (answer.closesConnection()) {
            return false;
        }
        writer.write(new OpReply(++lastRequestId, query.requestId(), 0, answer.reply()), packing(command, asked));
        return answer.goesOn();
    }

    /** A read preference travels around the command in an old-fashioned query. */
    private static RawDocument unwrapped(RawDocument query) {
        return query.get("$query") instanceof Value.Doc(RawDocument inner) ? inner : query;
    }

    private static String name(RawDocument command) {
        var first = command.cursor();
        return first.next() ? first.name() : "";
    }

    // ---- the end

    /** From time to time, by one thread: whether a command that ran the last time still runs. Its client may be gone. */
    boolean isLongWaitedFor() {
        int waited = waitedFor;
        boolean isLong = waited != 0 && waited == seenWaitedFor;
        seenWaitedFor = waited;
        return isLong;
    }

    /** Stops the command if its client has gone. From any thread. */
    void look() {
        ClientInput in = input;
        if (in != null && in.hasEnded()) {
            Call call = client.current();
            if (call != null && !call.outlivesClient()) {
                call.kill(new CommandException(
                        ErrorCode.ClientDisconnect, "operation was interrupted because a client disconnected"));
            }
        }
    }

    /** From time to time, while memory is short: a client that holds it and does not get on is cut. */
    void endIfStalled(long arrivalNanosMax, long stallNanosMax) {
        CountedOutput out = output;
        if (out != null && out.stalledNanos() > stallNanosMax) {
            cut("the client does not read its reply, and memory for replies is short");
        } else if (!isBusy && memory.heldNanos() > arrivalNanosMax) {
            cut("the request takes too long, and memory for requests is short");
        }
    }

    private void cut(String why) {
        log.info(
                Log.Component.NETWORK,
                client.description(),
                "Closing a connection",
                new BsonWriter()
                        .put("remote", client.remote())
                        .put("reason", why)
                        .finish());
        close();
    }

    /** No further request; an answer under way still leaves. */
    void closeWhenIdle() {
        isClosing = true;
        if (!isBusy) {
            close();
        }
    }

    void close() {
        isClosing = true;
        try {
            socket.close();
        } catch (IOException e) {
            log.debug(
                    Log.Component.NETWORK,
                    client.description(),
                    "Closing a socket failed",
                    new BsonWriter()
                            .put("error", String.valueOf(e.getMessage()))
                            .finish());
        }
    }

    /** The message's sequences as a command's arguments know them. */
    private record MessageSequences(OpMsg message) implements Sequences {
        @Override
        public @Nullable List<RawDocument> named(String name) {
            return message.sequence(name);
        }

        @Override
        public List<String> names() {
            return message.sequences().stream().map(Message.Sequence::name).toList();
        }
    }
}
